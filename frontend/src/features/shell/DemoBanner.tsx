import { chakra } from '@chakra-ui/react';
import { Smartphone, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { useSession } from '@/stores/session';
import { useUi } from '@/stores/ui';
import { reach } from '@/theme/screens';

const AWAY_KEY = 'demoBanner';

/** In the demo: a link to the simulated phone, where the user can write as a customer. */
export function useDemoBanner(): ReactElement | null {
  const { t } = useTranslation('shell');
  const isDemo = useSession((state) => state.simulator);
  const narrowFocus = useUi((ui) => ui.narrowFocus);
  const [isAway, setAway] = useState(() => localStorage.getItem(AWAY_KEY) !== null);
  if (!isDemo || isAway || narrowFocus) return null;
  const putAway = () => {
    localStorage.setItem(AWAY_KEY, 'away');
    setAway(true);
  };
  return (
    <chakra.div
      role="region"
      aria-label={t('demo.label')}
      display="flex"
      alignItems="center"
      justifyContent="center"
      gap="2"
      flexShrink="0"
      ps="4"
      pe="2"
      py="1"
      bg="brand.subtle"
      textStyle="sm"
    >
      <chakra.span display="inline-flex" color="brand.fg" aria-hidden>
        <Smartphone size={16} strokeWidth={1.75} />
      </chakra.span>
      <chakra.span minW="0">
        {t('demo.text')}{' '}
        <chakra.a
          href="/simulator"
          target="_blank"
          rel="noreferrer"
          fontWeight="medium"
          color="brand.fg"
          textDecoration="underline"
          css={reach}
        >
          {t('demo.open')}
        </chakra.a>
      </chakra.span>
      <IconButton label={t('demo.putAway')} size="sm" icon={<X size={16} />} onClick={putAway} />
    </chakra.div>
  );
}
