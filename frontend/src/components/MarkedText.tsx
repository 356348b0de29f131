import { chakra } from '@chakra-ui/react';
import { Fragment, useMemo, useReducer, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { parseMarkup, type Node } from '@/lib/markup';
import { shortLength } from '@/lib/shorten';
import { TextButton } from './TextButton';

/** Renders plain text. */
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

interface MarkedTextProps {
  text: string;
  /** Renders the text between the marks. */
  Words?: Words;
  /** The search may match in the hidden part: show the whole text. */
  isWhole?: boolean;
}

/**
 * Long texts that the user has expanded: they stay expanded after a virtual list has unmounted
 * them.
 */
const opened = new Set<string>();

/**
 * A text with WhatsApp's marks and clickable links. A long text shows its beginning and a button
 * for the rest; a list that is at its end stays where the button was (`useStayAtEnd`).
 */
export function MarkedText({ text, Words = Plain, isWhole = false }: MarkedTextProps) {
  const { t } = useTranslation();
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const length = isWhole || opened.has(text) ? text.length : shortLength(text);
  const shown = text.slice(0, length);
  const nodes = useMemo(() => parseMarkup(shown), [shown]);
  return (
    <>
      <Nodes nodes={nodes} Words={Words} />
      {length < text.length && (
        <>
          {'… '}
          <TextButton
            type="button"
            data-read-on
            onClick={({ currentTarget }) => {
              opened.add(text);
              draw();
              // The button disappears: the message gets the focus.
              currentTarget.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
            }}
          >
            {t('readOn')}
          </TextButton>
        </>
      )}
    </>
  );
}
