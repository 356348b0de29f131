import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { formatCount } from '@/lib/format';
import { paths } from '@/routes/paths';
import { Cost } from './Amounts';
import type { AutomaticText } from './types';
import { useTextName } from './useGroupName';

/** Where a text that nobody stops by a click is written. */
const PLACE_OF: Partial<Record<AutomaticText['origin'], 'connections' | 'queues' | 'settings'>> = {
  menu: 'connections',
  fallback: 'connections',
  queue: 'queues',
  option: 'queues',
  call: 'settings',
};

interface AutomaticTextRowProps {
  text: AutomaticText;
  busy: boolean;
  onStop: () => void;
  onResume: () => void;
}

export function AutomaticTextRow({ text, busy, onStop, onResume }: AutomaticTextRowProps) {
  const { t } = useTranslation('costs');
  const name = useTextName()(text);
  const { figures, state } = text;
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) auto 176px' }}
      alignItems="center"
      columnGap="4"
      rowGap="2"
      px="4"
      py="2.5"
      borderTopWidth="1px"
    >
      <chakra.div minW="0">
        <chakra.p textStyle="sm" fontWeight="medium" overflowWrap="anywhere">
          {name}
          {state === 'stopped' && (
            <Badge ms="2" tone="neutral">
              {t('automatic.states.stopped')}
            </Badge>
          )}
        </chakra.p>
        <chakra.p textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('automatic.counts', {
            count: figures.messages,
            messages: formatCount(figures.messages),
            billable: formatCount(figures.billable),
          })}
        </chakra.p>
      </chakra.div>
      <chakra.div textAlign="end" textStyle="sm" fontWeight="semibold">
        <Cost figures={figures} />
      </chakra.div>
      <chakra.div
        gridColumn={{ base: '1 / -1', md: 'auto' }}
        justifySelf={{ base: 'start', md: 'end' }}
        textStyle="sm"
        color="fg.muted"
      >
        <Action {...{ text, name, busy, onStop, onResume }} />
      </chakra.div>
    </chakra.li>
  );
}

function Action({ text, name, ...props }: AutomaticTextRowProps & { name: string }) {
  const { t } = useTranslation('costs');
  const place = PLACE_OF[text.origin];
  if (text.state === 'sent')
    return (
      <Button
        size="sm"
        variant="outline"
        aria-label={t('automatic.stopOf', { name })}
        onClick={props.onStop}
      >
        {t('automatic.stop')}
      </Button>
    );
  if (text.state === 'stopped')
    return (
      <Button
        size="sm"
        variant="outline"
        aria-label={t('automatic.resumeOf', { name })}
        loading={props.busy}
        onClick={props.onResume}
      >
        {t('automatic.resume')}
      </Button>
    );
  if (text.state === 'unset' || !place) return t(`automatic.states.${text.state}`);
  return (
    <Button asChild size="sm" variant="ghost" ms={{ base: '-3', md: '0' }} me={{ md: '-3' }}>
      <Link to={paths[place]}>{t(`automatic.edit.${place}`)}</Link>
    </Button>
  );
}
