import { chakra } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Select } from '@/components/Select';
import { Segmented } from '@/components/Tabs';
import { currentLanguage, HTML_LANG } from '@/i18n';
import { firstDayOf, midnight } from '@/lib/dates';
import { STATUSES } from './api';
import { isStatus } from './schemas';
import { step, titleOf, type PageView, type View } from './view';

interface ToolbarProps {
  shown: PageView;
  narrow: boolean;
  onChange: (changes: Partial<PageView>) => void;
}

const WIDE: readonly View[] = ['month', 'week', 'day', 'list'];
const NARROW: readonly View[] = ['agenda', 'day', 'list'];

/** The period, the status filter and the view. */
export function Toolbar({ shown, narrow, onChange }: ToolbarProps) {
  const { t } = useTranslation('schedules');
  const { view, date, status } = shown;
  const language = currentLanguage();
  const go = (direction: 1 | -1) => onChange({ date: step(view, date, direction) });
  const views = narrow ? NARROW : view === 'agenda' ? [...WIDE, view] : WIDE;
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      rowGap="3"
      columnGap="2"
      minH="9"
    >
      {view !== 'list' && (
        <chakra.div display="flex" alignItems="center" gap="1" minW="0">
          <Button
            variant="outline"
            size="sm"
            onClick={() => onChange({ date: midnight(new Date()) })}
          >
            {t('calendar.goToday')}
          </Button>
          <IconButton
            label={t('calendar.previous')}
            size="sm"
            icon={<ChevronLeft size={20} />}
            onClick={() => go(-1)}
          />
          <IconButton
            label={t('calendar.next')}
            size="sm"
            icon={<ChevronRight size={20} />}
            onClick={() => go(1)}
          />
          <chakra.h2
            aria-live="polite"
            ms="1"
            textStyle={{ base: 'md', sm: 'lg' }}
            fontWeight="semibold"
            truncate
            _firstLetter={{ textTransform: 'uppercase' }}
          >
            {titleOf(view, date, HTML_LANG[language], firstDayOf(language))}
          </chakra.h2>
        </chakra.div>
      )}
      <chakra.div
        display="flex"
        alignItems="center"
        gap="2"
        ms={{ base: '0', sm: 'auto' }}
        w={{ base: 'full', sm: 'auto' }}
      >
        <chakra.div w={{ base: '44', sm: '44' }} flexShrink="1" minW="0">
          <Select
            size="sm"
            aria-label={t('status.label')}
            value={status}
            placeholder={t('status.all')}
            options={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
            onChange={({ target: { value } }) => onChange({ status: isStatus(value) ? value : '' })}
          />
        </chakra.div>
        <chakra.div ms={{ base: 'auto', sm: '0' }}>
          <Segmented
            aria-label={t('views.label')}
            value={view}
            onChange={(value) => onChange({ view: value })}
            tabs={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          />
        </chakra.div>
      </chakra.div>
    </chakra.div>
  );
}
