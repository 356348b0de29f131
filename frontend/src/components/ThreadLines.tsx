import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, isSameDay } from '@/lib/format';

/** 'Hoje', 'Ontem', else the date. */
function useDayLabel() {
  const { t } = useTranslation();
  return (day: string) => {
    const yesterday = new Date();
    yesterday.setDate(yesterday.getDate() - 1);
    if (isSameDay(day, new Date())) return t('thread.today');
    return isSameDay(day, yesterday) ? t('thread.yesterday') : formatDate(day);
  };
}

/** The date of the messages; with `floating` it overlays them while they scroll. */
export function DayPill({ day, floating = false }: { day: string; floating?: boolean }) {
  const label = useDayLabel()(day);
  return (
    <chakra.span
      px="3"
      py="1"
      borderRadius="md"
      bg="bg.raised"
      textStyle="xs"
      fontWeight="medium"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
      borderWidth="1px"
      {...(floating && { boxShadow: 'popover', borderColor: 'transparent' })}
    >
      {label}
    </chakra.span>
  );
}

/** A line across the conversation with text in its middle. */
export function Divider({ children, strong = false }: { children: ReactNode; strong?: boolean }) {
  return (
    <chakra.div
      role="separator"
      display="flex"
      alignItems="center"
      gap="3"
      py="3"
      textStyle="xs"
      fontWeight={strong ? 'semibold' : 'medium'}
      color={strong ? 'brand.fg' : 'fg.muted'}
      textAlign="center"
      css={{
        '&::before, &::after': {
          content: '""',
          flex: '1',
          minWidth: '16px',
          borderTopWidth: '1px',
          borderColor: strong ? 'brand.border' : 'border.strong',
        },
      }}
    >
      <span>{children}</span>
    </chakra.div>
  );
}
