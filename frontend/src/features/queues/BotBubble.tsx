import { chakra } from '@chakra-ui/react';
import {
  ArrowLeftRight,
  Bot,
  IdCard,
  LifeBuoy,
  MessagesSquare,
  MoonStar,
  Paperclip,
  Sparkles,
  Tag,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { BubbleMeta, BubbleMetaSpace } from '@/components/BubbleMeta';
import { BubbleTail } from '@/components/BubbleTail';
import { Marks } from '@/components/MessagePreview';
import { kindOfMime } from '@/lib/files';
import { parseMarkup } from '@/lib/markup';

interface BotBubbleProps {
  text: string;
  /** The contact's messages are on the other side. */
  mine?: boolean;
  /** The first bubble of its group has the tail. */
  first?: boolean;
  /** Time and ticks, at the end of the last line. */
  meta?: ReactNode;
  /** The file of which the text is the caption. */
  file?: BubbleFile | null;
}

interface BubbleFile {
  name: string;
  mime: string;
  address: string;
}

/** A message of the bot or to it, as it looks on the contact's phone. */
export function BotBubble({ text, mine = false, first = false, meta, file }: BotBubbleProps) {
  const fill = mine ? 'bubble.out' : 'bubble.in';
  const line = mine ? 'bubble.out.border' : 'bubble.in.border';
  return (
    <chakra.div
      position="relative"
      alignSelf={mine ? 'flex-end' : 'flex-start'}
      maxW="88%"
      minW="0"
      px="3"
      py="1.5"
      bg={fill}
      borderWidth="1px"
      borderColor={line}
      borderRadius="lg"
      {...(mine
        ? { borderStartEndRadius: first ? '0' : 'xs' }
        : { borderStartStartRadius: first ? '0' : 'xs' })}
    >
      {first && <BubbleTail out={mine} fill={fill} line={line} />}
      {file && <Attachment file={file} />}
      <chakra.div textStyle="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
        <Marks nodes={parseMarkup(text)} />
        {meta && <BubbleMetaSpace>{meta}</BubbleMetaSpace>}
      </chakra.div>
      {meta && <BubbleMeta color={mine ? 'bubble.out.meta' : 'fg.muted'}>{meta}</BubbleMeta>}
    </chakra.div>
  );
}

function Attachment({ file: { name, mime, address } }: { file: BubbleFile }) {
  const isPicture = kindOfMime(mime) === 'image';
  return (
    <chakra.a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      display="block"
      my="1"
      maxW="240px"
      borderRadius="md"
      overflow="hidden"
      bg="bg.subtle"
    >
      {isPicture ? (
        <chakra.img
          src={address}
          alt={name}
          display="block"
          w="full"
          maxH="160px"
          objectFit="cover"
        />
      ) : (
        <chakra.span display="flex" alignItems="center" gap="2" px="3" py="2" textStyle="sm">
          <chakra.span display="flex" flexShrink="0" color="fg.muted">
            <Paperclip size={16} aria-hidden />
          </chakra.span>
          <chakra.span truncate>{name}</chakra.span>
        </chakra.span>
      )}
    </chakra.a>
  );
}

const ICONS = {
  queue: ArrowLeftRight,
  person: UserRound,
  integration: Bot,
  prompt: Sparkles,
  left: LifeBuoy,
  closed: MoonStar,
  tag: Tag,
  value: IdCard,
  one_by_one: MessagesSquare,
} as const;

/** The effect on the conversation, small and centred. */
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
