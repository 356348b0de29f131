import { chakra } from '@chakra-ui/react';
import { useContext, useMemo } from 'react';
import { MarkedText } from '@/components/MarkedText';
import { isOnlyEmoji } from '@/lib/markup';
import { Meta, MetaSpace } from '../BubbleTime';
import { partsOf, SearchedText } from '../highlight';
import type { Message } from '../types';

/** Plain text with the search matches marked. */
export function Found({ text }: { text: string }) {
  const searched = useContext(SearchedText);
  if (!searched) return text;
  return partsOf(text, searched).map((part, index) =>
    part.isHit ? (
      <chakra.mark
        key={index}
        bg="status.waiting.solid"
        color="status.waiting.on"
        borderRadius="2px"
      >
        {part.text}
      </chakra.mark>
    ) : (
      part.text
    ),
  );
}

/** A text with WhatsApp's marks; not shortened if its hidden part may contain a match. */
export function Marked({ text }: { text: string }) {
  const searched = useContext(SearchedText);
  const isWhole = useMemo(
    () => searched !== '' && partsOf(text, searched).some(({ isHit }) => isHit),
    [text, searched],
  );
  return <MarkedText text={text} Words={Found} isWhole={isWhole} />;
}

interface TextProps {
  message: Message;
  text?: string;
  /** A caption below a picture has less padding at the sides. */
  caption?: boolean;
}

/** The text of a message, with time and tick in its last line. */
export function Text({ message, text = message.body, caption = false }: TextProps) {
  return (
    <chakra.div
      data-body
      textStyle="md"
      whiteSpace="pre-wrap"
      overflowWrap="anywhere"
      {...(caption && { px: '2', pt: '1.5', pb: '0.5' })}
    >
      <Marked text={text} />
      <MetaSpace message={message} />
      <Meta message={message} />
    </chakra.div>
  );
}

/** One to three emoji, large and without a bubble. */
export function BigEmoji({ message }: { message: Message }) {
  return (
    <chakra.div fontSize="40px" lineHeight="52px" pb="4">
      {message.body.trim()}
      <Meta message={message} />
    </chakra.div>
  );
}

export const isBigEmoji = (message: Message) =>
  !message.quotedMsg && !message.isDeleted && message.body.length < 40 && isOnlyEmoji(message.body);
