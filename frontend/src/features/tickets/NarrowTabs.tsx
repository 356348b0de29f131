import { chakra } from '@chakra-ui/react';
import { Inbox, MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CountBadge } from '@/components/Badge';
import { useKeyboard } from '@/lib/useKeyboard';
import { useBadges } from '@/stores/badges';
import { useUi } from '@/stores/ui';
import { short } from '@/theme/screens';

export type NarrowTab = 'ticket' | 'list';

interface NarrowTabsProps {
  value: NarrowTab;
  onChange: (tab: NarrowTab) => void;
}

/**
 * The two tabs at the foot of narrow screens (rules/screens §4). Hidden while the keyboard is open,
 * and on a low screen in a conversation, which has its own back button.
 */
export function NarrowTabs({ value, onChange }: NarrowTabsProps) {
  const { t } = useTranslation('tickets');
  const count = useBadges((badges) => badges.tickets);
  const focused = useUi((ui) => ui.narrowFocus);
  const isAway = useKeyboard();
  const tab = (name: NarrowTab, icon: ReactNode, badge?: ReactNode) => (
    <chakra.button
      type="button"
      aria-current={value === name ? 'page' : undefined}
      onClick={() => onChange(name)}
      position="relative"
      flex="1"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="1"
      h="14"
      cursor="pointer"
      textStyle="xs"
      fontWeight="medium"
      color={value === name ? 'brand.fg' : 'fg.muted'}
      _before={{
        content: '""',
        position: 'absolute',
        top: '-1px',
        w: '14',
        h: '3px',
        borderBottomRadius: '3px',
        bg: value === name ? 'brand.solid' : 'transparent',
      }}
      _focusVisible={{ boxShadow: 'inset 0 0 0 2px {colors.brand.fg}' }}
    >
      <chakra.span position="relative" display="inline-flex">
        {icon}
        <chakra.span position="absolute" bottom="2.5" insetStart="3.5">
          {badge}
        </chakra.span>
      </chakra.span>
      {t(`narrow.${name}`)}
    </chakra.button>
  );
  return (
    <chakra.nav
      aria-label={t('narrow.label')}
      display={isAway ? 'none' : 'flex'}
      {...(focused && { css: { [short]: { display: 'none' } } })}
      flexShrink="0"
      bg="bg.surface"
      borderTopWidth="1px"
      pb="env(safe-area-inset-bottom)"
    >
      {tab('ticket', <MessageSquareText size={20} strokeWidth={1.75} />)}
      {tab(
        'list',
        <Inbox size={20} strokeWidth={1.75} />,
        count ? <CountBadge count={count} tone="brand" /> : null,
      )}
    </chakra.nav>
  );
}
