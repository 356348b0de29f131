import { chakra } from '@chakra-ui/react';
import { BellRing } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { askForDesktop, useDesktop } from '@/lib/desktop';
import { useNarrow } from '@/lib/useMedia';

const LATER_KEY = 'desktopNotices';
const LATER = 'later';

/**
 * Offers desktop notifications once, before the browser's own prompt, which the user can deny for
 * good.
 */
export function useDesktopPrompt(): ReactElement | null {
  const { t } = useTranslation('notifications');
  const permission = useDesktop((state) => state.permission);
  const [isPutOff, setPutOff] = useState(() => localStorage.getItem(LATER_KEY) === LATER);
  // Phones show no notifications of a page, so nothing is offered.
  const isNarrow = useNarrow();
  if (permission !== 'default' || isPutOff || isNarrow) return null;
  const putOff = () => {
    localStorage.setItem(LATER_KEY, LATER);
    setPutOff(true);
  };
  return (
    <chakra.div
      role="region"
      aria-label={t('prompt.label')}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="center"
      columnGap="3"
      rowGap="1"
      flexShrink="0"
      px="4"
      py="1.5"
      bg="brand.subtle"
      textStyle="sm"
    >
      <chakra.span display="inline-flex" alignItems="center" gap="2">
        <chakra.span display="inline-flex" color="brand.fg" aria-hidden>
          <BellRing size={16} strokeWidth={1.75} />
        </chakra.span>
        {t('prompt.text')}
      </chakra.span>
      <chakra.span display="inline-flex" gap="1">
        <Button size="sm" onClick={() => void askForDesktop()}>
          {t('prompt.yes')}
        </Button>
        <Button size="sm" variant="ghost" onClick={putOff}>
          {t('prompt.later')}
        </Button>
      </chakra.span>
    </chakra.div>
  );
}
