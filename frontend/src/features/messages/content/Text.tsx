import { chakra } from '@chakra-ui/react';
import { Fragment, useContext, useMemo } from 'react';
import { isOnlyEmoji, parseMarkup, type Node } from '@/lib/markup';
import { Meta, MetaSpace } from '../Bubble';
import { partsOf, SearchedText } from '../highlight';
import type { Message } from '../types';

/** Plain words, those that are searched for marked. */
function Found({ text }: { text: string }) {
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

function MarkedNode({ node }: { node: Node }) {
  switch (node.kind) {
    case 'text':
      return <Found text={node.text} />;
    case 'bold':
      return (
        <chakra.strong fontWeight="semibold">
          <Nodes nodes={node.children} />
        </chakra.strong>
      );
    case 'italic':
      return (
        <em>
          <Nodes nodes={node.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Nodes nodes={node.children} />
        </s>
      );
    case 'mono':
      return (
        <chakra.code fontFamily="mono" fontSize="sm" whiteSpace="pre-wrap">
          {node.text}
        </chakra.code>
      );
    case 'link':
      return (
        <chakra.a
          href={node.href}
          target="_blank"
          rel="noopener noreferrer"
          color="brand.fg"
          textDecoration="underline"
          textUnderlineOffset="2px"
          overflowWrap="anywhere"
        >
          <Found text={node.text} />
        </chakra.a>
      );
  }
}

const Nodes = ({ nodes }: { nodes: Node[] }) =>
  nodes.map((node, index) => (
    <Fragment key={index}>
      <MarkedNode node={node} />
    </Fragment>
  ));

/** A text with WhatsApp's marks. */
export function Marked({ text }: { text: string }) {
  const nodes = useMemo(() => parseMarkup(text), [text]);
  return <Nodes nodes={nodes} />;
}

interface TextProps {
  message: Message;
  text?: string;
  /** Below a picture the frame leaves less room at the sides. */
  caption?: boolean;
}

/** The text of a message, its time and tick in the last line. */
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

/** One to three emoji, big and without a frame of their own. */
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
