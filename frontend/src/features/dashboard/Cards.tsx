import { chakra } from '@chakra-ui/react';
import {
  CircleCheck,
  Clock,
  Headset,
  Hourglass,
  Timer,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/components/States';
import { formatCount } from '@/lib/format';
import { focusVisible } from '@/theme/recipes/controls';
import { minutesText } from './minutes';
import type { Counters } from './types';

interface CardKind {
  key: keyof Counters;
  icon: LucideIcon;
  colour: string;
  isMinutes?: boolean;
  /** By what the report narrows its list to the conversations of the figure. */
  narrow?: Record<string, string>;
}

const CARDS: readonly CardKind[] = [
  { key: 'supportPending', icon: Hourglass, colour: 'status.waiting.fg' },
  { key: 'supportHappening', icon: Headset, colour: 'status.live.fg' },
  {
    key: 'supportFinished',
    icon: CircleCheck,
    colour: 'brand.fg',
    narrow: { state: 'resolved' },
  },
  { key: 'leads', icon: UserPlus, colour: 'brand.fg' },
  {
    key: 'avgSupportTime',
    icon: Timer,
    colour: 'brand.fg',
    isMinutes: true,
    narrow: { state: 'resolved' },
  },
  { key: 'avgWaitTime', icon: Clock, colour: 'brand.fg', isMinutes: true, narrow: {} },
];

interface CardsProps {
  counters: Counters | undefined;
  onOpenConversations?: (narrow: Record<string, string>) => void;
}

const FigureButton = chakra('button', {
  base: {
    font: 'inherit',
    cursor: 'pointer',
    borderRadius: 'xs',
    _hover: { textDecoration: 'underline' },
    _focusVisible: focusVisible,
  },
});

/** The numbers of waiting, attended, finished and new tickets, and their times. */
export function Cards({ counters, onOpenConversations }: CardsProps) {
  const { t } = useTranslation('dashboard');
  return (
    <chakra.dl
      aria-label={t('cards.label')}
      m="0"
      display="grid"
      gap="3"
      flexShrink="0"
      gridTemplateColumns={{
        base: 'repeat(2, minmax(0, 1fr))',
        sm: 'repeat(3, minmax(0, 1fr))',
        xl: 'repeat(6, minmax(0, 1fr))',
      }}
    >
      {CARDS.map(({ key, icon: Icon, colour, isMinutes, narrow }) => (
        <chakra.div
          key={key}
          bg="bg.surface"
          borderWidth="1px"
          borderRadius="md"
          px="4"
          py="3.5"
          minW="0"
          display="flex"
          flexDirection="column"
          gap="1.5"
        >
          <chakra.dt
            display="flex"
            alignItems="center"
            gap="2"
            textStyle="sm"
            color="fg.muted"
            minW="0"
          >
            <chakra.span display="flex" flexShrink="0" color={colour}>
              <Icon size={16} aria-hidden />
            </chakra.span>
            <chakra.span minW="0" overflowWrap="anywhere">
              {t(`cards.${key}`)}
            </chakra.span>
          </chakra.dt>
          <chakra.dd
            m="0"
            mt="auto"
            h="8"
            textStyle="xl"
            fontWeight="semibold"
            fontVariantNumeric="tabular-nums"
          >
            {!counters ? (
              <Skeleton display="block" w="14" h="6" mt="1" />
            ) : narrow && onOpenConversations ? (
              <FigureButton
                type="button"
                aria-description={t('cards.open')}
                onClick={() => onOpenConversations(narrow)}
              >
                <Shown value={counters[key]} isMinutes={isMinutes} />
              </FigureButton>
            ) : (
              <Shown value={counters[key]} isMinutes={isMinutes} />
            )}
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  );
}

function Shown({ value, isMinutes = false }: { value: number; isMinutes: boolean | undefined }) {
  const { t } = useTranslation('dashboard');
  if (!isMinutes) return formatCount(value);
  return (
    <>
      {minutesText(value)}
      <chakra.span textStyle="sm" fontWeight="normal" color="fg.muted" ms="1">
        {t('min')}
      </chakra.span>
    </>
  );
}
