import { chakra } from '@chakra-ui/react';
import { Fragment, useMemo, type ComponentType } from 'react';
import { parseMarkup, type Node } from '@/lib/markup';

/** Draws plain words. */
type Words = ComponentType<{ text: string }>;

const Plain: Words = ({ text }) => text;

function MarkedNode({ node, Words }: { node: Node; Words: Words }) {
  switch (node.kind) {
    case 'text':
      return <Words text={node.text} />;
    case 'bold':
      return (
        <chakra.strong fontWeight="semibold">
          <Nodes nodes={node.children} Words={Words} />
        </chakra.strong>
      );
    case 'italic':
      return (
        <em>
          <Nodes nodes={node.children} Words={Words} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Nodes nodes={node.children} Words={Words} />
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
          <Words text={node.text} />
        </chakra.a>
      );
  }
}

const Nodes = ({ nodes, Words }: { nodes: Node[]; Words: Words }) =>
  nodes.map((node, index) => (
    <Fragment key={index}>
      <MarkedNode node={node} Words={Words} />
    </Fragment>
  ));

/** A text with WhatsApp's marks and links that open; `Words` draws what stands between them. */
export function MarkedText({ text, Words = Plain }: { text: string; Words?: Words }) {
  const nodes = useMemo(() => parseMarkup(text), [text]);
  return <Nodes nodes={nodes} Words={Words} />;
}
