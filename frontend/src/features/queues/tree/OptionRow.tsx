import { chakra } from '@chakra-ui/react';
import { useDraggable } from '@dnd-kit/core';
import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CornerDownRight,
  GripVertical,
  IdCard,
  MoreHorizontal,
  Paperclip,
  Plus,
  Trash2,
} from 'lucide-react';
import { memo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import { focusVisible } from '@/theme/recipes/controls';
import { target } from '@/theme/screens';
import type { OptionDraft, OptionField } from '../drafts';
import type { Queue } from '../types';
import { OptionEditor } from './OptionEditor';
import { INDENT, QueueDot, summaryOf } from './parts';
import type { TreeCommands } from './useTree';

interface RowProps {
  node: OptionDraft;
  level: number;
  index: number;
  siblingCount: number;
  number: string;
  queues: readonly Queue[];
  currentQueueId: number | null;
  errors: Partial<Record<OptionField, string>> | undefined;
  open: boolean;
  editing: boolean;
  /** Whether it is in the tab order. */
  active: boolean;
  tested: boolean;
  dragged: boolean;
  commands: TreeCommands;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A node of the tree: its row, and its editor while open. */
export const OptionRow = memo(function Row(props: RowProps) {
  const { node, level, index, siblingCount, open, editing, active, tested, commands } = props;
  const { t } = useTranslation('queueBot');
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const hasChildren = node.children.length > 0;
  const title = node.title.trim();
  const wrong = props.errors !== undefined;
  const summary = summaryOf(node, props.queues);
  const inWords = {
    options: t('summary.options', { count: node.children.length }),
    queue: t('summary.queueNamed', { queue: summary.queue?.name ?? t('goneQueue') }),
    person: t('summary.person'),
  }[summary.kind];
  const asked = node.asks && t('summary.asks', { kind: t(`asks.kinds.${node.asks}`) });
  return (
    <chakra.div
      role="treeitem"
      data-key={node.key}
      aria-level={level}
      aria-posinset={index + 1}
      aria-setsize={siblingCount}
      aria-expanded={hasChildren ? open : undefined}
      aria-selected={editing}
      aria-label={[
        `${props.number} ${title || t('untitled')}`,
        // In the visible order, so that voice control finds the name.
        ...(tested ? [t('tested')] : []),
        inWords,
        ...(asked ? [asked] : []),
        ...(node.file ? [t('summary.file', { name: node.file.name })] : []),
        ...(wrong ? [t('wrong')] : []),
      ].join(', ')}
      tabIndex={active ? 0 : -1}
      position="relative"
      borderTopWidth={index === 0 && level === 1 ? '0' : '1px'}
      opacity={props.dragged ? 0.4 : 1}
      scrollMarginBottom="14"
      outline="none"
      css={{ '&:focus-visible > [data-line]': { ...focusVisible, outlineOffset: '-2px' } }}
      onKeyDown={props.onKeyDown}
      onFocus={(event) => {
        setFocused(true);
        if (event.target === event.currentTarget) commands.activate(node.key);
      }}
      onBlur={({ currentTarget, relatedTarget }) =>
        setFocused(currentTarget.contains(relatedTarget))
      }
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <Guides level={level} />
      <chakra.div
        data-line
        display="flex"
        alignItems="center"
        gap="1"
        minH="10"
        css={target}
        pe="2"
        cursor="pointer"
        bg={tested ? 'brand.subtle' : editing ? 'bg.subtle' : undefined}
        _hover={tested || editing ? {} : { bg: 'bg.hover' }}
        style={{ paddingInlineStart: 8 + (level - 1) * INDENT }}
        onClick={() => commands.edit(editing ? null : node.key)}
      >
        <Handle nodeKey={node.key} />
        <chakra.span display="flex" w="6" justifyContent="center" flexShrink="0">
          {hasChildren && (
            <chakra.button
              type="button"
              tabIndex={-1}
              aria-hidden
              display="flex"
              p="1"
              borderRadius="xs"
              color="fg.muted"
              cursor="pointer"
              _hover={{ bg: 'bg.subtle', color: 'fg.default' }}
              onClick={(event) => {
                event.stopPropagation();
                commands.toggle(node.key);
              }}
            >
              {open ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
            </chakra.button>
          )}
        </chakra.span>
        <chakra.span
          aria-hidden
          flexShrink="0"
          display="inline-flex"
          alignItems="center"
          justifyContent="center"
          minW="5"
          h="5"
          px="1"
          me="1.5"
          borderRadius="xs"
          textStyle="xs"
          fontWeight="semibold"
          fontVariantNumeric="tabular-nums"
          bg={tested ? 'brand.solid' : editing ? 'bg.surface' : 'bg.subtle'}
          color={tested ? 'brand.on' : 'fg.default'}
        >
          {index + 1}
        </chakra.span>{' '}
        <chakra.span
          minW="0"
          py="2"
          textStyle="sm"
          fontWeight="semibold"
          color={title ? 'fg.default' : 'fg.muted'}
          overflow="hidden"
          textOverflow="ellipsis"
          whiteSpace="nowrap"
        >
          {title || t('untitled')}
        </chakra.span>
        {asked && (
          <chakra.span display="flex" flexShrink="0" ms="1.5" color="fg.muted" title={asked}>
            <IdCard size={16} aria-hidden />
          </chakra.span>
        )}
        {node.file && (
          <chakra.span
            display="flex"
            flexShrink="0"
            ms="1.5"
            color="fg.muted"
            title={node.file.name}
          >
            <Paperclip size={16} aria-hidden />
          </chakra.span>
        )}
        {wrong && (
          <chakra.span display="flex" color="status.danger.fg" flexShrink="0" title={t('wrong')}>
            <CircleAlert size={16} />
          </chakra.span>
        )}
        {tested && (
          <>
            {' '}
            <chakra.span
              flexShrink="0"
              ms="1.5"
              textStyle="xs"
              color="brand.fg"
              fontWeight="medium"
            >
              {t('tested')}
            </chakra.span>
          </>
        )}
        <chakra.span flex="1" />{' '}
        {hovered || editing || (focused && active) ? (
          <Tools {...props} />
        ) : (
          <Summary kind={summary.kind} queue={summary.queue} words={inWords} />
        )}
      </chakra.div>
      {editing && (
        <OptionEditor
          node={node}
          level={level}
          queues={props.queues}
          currentQueueId={props.currentQueueId}
          errors={props.errors}
          commands={commands}
        />
      )}
    </chakra.div>
  );
});

interface SummaryProps {
  kind: 'options' | 'person' | 'queue';
  queue: Queue | undefined;
  words: string;
}

function Summary({ kind, queue, words }: SummaryProps) {
  const { t } = useTranslation('queueBot');
  return (
    <chakra.span
      aria-hidden
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      minW="0"
      flexShrink="0"
      maxW={{ base: '45%', sm: '50%' }}
      ps="2"
      pe="1"
      textStyle="xs"
      color="fg.muted"
      whiteSpace="nowrap"
    >
      {kind === 'queue' ? (
        <>
          <CornerDownRight size={16} />
          <chakra.span hideBelow="sm">{t('summary.queue')}</chakra.span>{' '}
          <QueueDot colour={queue?.color} />
          <chakra.span
            fontWeight="semibold"
            color="fg.default"
            overflow="hidden"
            textOverflow="ellipsis"
          >
            {queue?.name ?? t('goneQueue')}
          </chakra.span>
        </>
      ) : (
        words
      )}
    </chakra.span>
  );
}

function Tools({ node, index, siblingCount, level, active, commands }: RowProps): ReactNode {
  const { t } = useTranslation('queueBot');
  const { key } = node;
  const tab = active ? {} : { tabIndex: -1 };
  return (
    <chakra.span display="flex" flexShrink="0" onClick={(event) => event.stopPropagation()}>
      <IconButton
        size="sm"
        icon={<Plus size={16} />}
        label={t('actions.addInside')}
        onClick={() => commands.addInside(key)}
        {...tab}
      />
      <Menu
        trigger={
          <IconButton
            size="sm"
            icon={<MoreHorizontal size={16} />}
            label={t('actions.more')}
            {...tab}
          />
        }
        groups={[
          { entries: [entry('addAfter', () => commands.addAfter(key))] },
          {
            entries: [
              entry('up', () => commands.move(key, 'up'), index === 0),
              entry('down', () => commands.move(key, 'down'), index === siblingCount - 1),
              entry('in', () => commands.move(key, 'in'), index === 0),
              entry('out', () => commands.move(key, 'out'), level === 1),
            ],
          },
        ]}
      />
      <IconButton
        size="sm"
        icon={<Trash2 size={16} />}
        label={t('actions.remove')}
        onClick={() => commands.remove(key)}
        {...tab}
      />
    </chakra.span>
  );

  function entry(
    id: 'addAfter' | 'up' | 'down' | 'in' | 'out',
    onSelect: () => void,
    disabled = false,
  ) {
    return { id, label: t(`actions.${id}`), onSelect, disabled };
  }
}

function Handle({ nodeKey }: { nodeKey: string }) {
  const { t } = useTranslation('queueBot');
  const { setNodeRef, listeners } = useDraggable({ id: nodeKey });
  return (
    <chakra.span
      ref={setNodeRef}
      {...listeners}
      aria-hidden
      title={t('actions.drag')}
      flexShrink="0"
      display="flex"
      p="1"
      color="fg.subtle"
      cursor="grab"
      touchAction="none"
      onClick={(event) => event.stopPropagation()}
    >
      <GripVertical size={16} />
    </chakra.span>
  );
}

/** The guide lines from the ancestors. */
function Guides({ level }: { level: number }) {
  return Array.from({ length: level - 1 }, (_, at) => (
    <chakra.span
      key={at}
      aria-hidden
      position="absolute"
      top="-1px"
      bottom="0"
      w="1px"
      bg="border.strong"
      zIndex="1"
      pointerEvents="none"
      style={{ insetInlineStart: 30 + at * INDENT }}
    />
  ));
}
