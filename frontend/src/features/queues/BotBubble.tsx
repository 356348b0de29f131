import { chakra } from '@chakra-ui/react';
import { ArrowLeftRight, Bot, MoonStar, Sparkles, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Marks } from '@/components/MessagePreview';
import { parseMarkup } from '@/lib/markup';

interface BotBubbleProps {
  text: string;
  /** What the contact wrote stands at the other side. */
  mine?: boolean;
  children?: ReactNode;
}

/** A message of the bot or to it, as it looks on the contact's phone. */
export function BotBubble({ text, mine = false, children }: BotBubbleProps) {
  return (
    <chakra.div
      alignSelf={mine ? 'flex-end' : 'flex-start'}
      maxW="88%"
      minW="0"
      px="3"
      py="1.5"
      borderWidth="1px"
      borderRadius="lg"
      {...(mine
        ? { bg: 'bubble.out', borderColor: 'bubble.out.border', borderTopEndRadius: 'xs' }
        : { bg: 'bubble.in', borderColor: 'bubble.in.border', borderTopStartRadius: 'xs' })}
    >
      <chakra.div textStyle="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
        <Marks nodes={parseMarkup(text)} />
      </chakra.div>
      {children}
    </chakra.div>
  );
}

const ICONS = {
  queue: ArrowLeftRight,
  person: UserRound,
  integration: Bot,
  prompt: Sparkles,
  closed: MoonStar,
} as const;

/** What would become of the conversation, small and centred. */
export function EffectLine({ kind, children }: { kind: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[kind];
  return (
    <chakra.p
      alignSelf="center"
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      gap="2"
      py="1"
      textStyle="xs"
      color="fg.muted"
      textAlign="center"
    >
      <chakra.span display="flex" flexShrink="0">
        <Icon size={16} aria-hidden />
      </chakra.span>
      <chakra.span>{children}</chakra.span>
    </chakra.p>
  );
}
