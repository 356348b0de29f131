import { chakra } from '@chakra-ui/react';
import { DndContext } from '@dnd-kit/core';
import {
  ChevronsDownUp,
  ChevronsUpDown,
  CircleAlert,
  ListTree,
  Plus,
  Undo2,
  X,
} from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStableCallback } from '@/lib/useStableCallback';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import type { OptionDraft, OptionErrors } from '../drafts';
import type { Queue } from '../types';
import { findNode, numberOf, visibleNodes, type VisibleNode } from './operations';
import { OptionRow } from './OptionRow';
import { INDENT } from './parts';
import { pressKey } from './treeKeys';
import { useDrag, type Drop } from './useDrag';
import { useTree } from './useTree';

interface OptionTreeProps {
  value: OptionDraft[];
  onChange: (options: OptionDraft[]) => void;
  queues: readonly Queue[];
  /** The edited queue, to which no option may lead; null for a new one. */
  currentQueueId: number | null;
  /** Errors by the nodes' keys. */
  errors?: OptionErrors | undefined;
  /** The current node of the test. */
  testedKey?: string | null | undefined;
  /**
   * Incremented with each attempt to save that failed because of the tree: the errors are then
   * shown.
   */
  attempt?: number;
  /** Further commands beside the title. */
  actions?: ReactNode;
}

const NONE: OptionErrors = {};

/** The editor of a queue's menu (rules/queues §2 and §5). */
export function OptionTree(props: OptionTreeProps) {
  const { value, onChange, queues, currentQueueId } = props;
  const { errors = NONE, testedKey = null, attempt = 0, actions } = props;
  const { t } = useTranslation('queueBot');
  const { treeRef, shown, open, setOpen, editing, activeKey, commands, ...said } = useTree({
    value,
    onChange,
    errors,
    testedKey,
    attempt,
  });
  const { notice, closeNotice, words } = said;
  const { sensors, dragged, drop, ...dragging } = useDrag({
    treeRef,
    value,
    open,
    onDrop: commands.drop,
  });

  const onKeyDown = useStableCallback((event: KeyboardEvent<HTMLElement>) =>
    pressKey(event, shown, open, commands),
  );

  const nested = parentsOf(value);
  const isAllOpen = nested.every((key) => open.has(key));
  const numbers = numbersOf(value, shown);
  const lifted = new Set(dragged === null ? [] : keysBelow(value, dragged));
  return (
    <chakra.section aria-label={t('label')} minW="0">
      <chakra.div
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        columnGap="2"
        mb="1.5"
        minH="8"
      >
        <chakra.h3 textStyle="sm" fontWeight="semibold">
          {t('label')}
        </chakra.h3>
        {value.length > 0 && (
          <chakra.span hideBelow="sm" textStyle="xs" color="fg.muted">
            {t('hint')}
          </chakra.span>
        )}
        <chakra.span flex="1" />
        {actions}
        {nested.length > 0 && (
          <IconButton
            size="sm"
            icon={isAllOpen ? <ChevronsDownUp size={16} /> : <ChevronsUpDown size={16} />}
            label={t(isAllOpen ? 'actions.closeAll' : 'actions.openAll')}
            onClick={() => setOpen(new Set(isAllOpen ? [] : nested))}
          />
        )}
        {value.length > 0 && (
          <Button
            size="sm"
            variant="ghost"
            color="brand.fg"
            icon={<Plus size={16} />}
            onClick={() => commands.addInside(null)}
          >
            {t('actions.add')}
          </Button>
        )}
      </chakra.div>
      {value.length === 0 ? (
        <NoOptions onAdd={() => commands.addInside(null)} />
      ) : (
        <DndContext
          sensors={sensors}
          accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: '' } }}
          {...dragging}
        >
          <chakra.div position="relative">
            <chakra.div
              ref={treeRef}
              role="tree"
              aria-label={t('label')}
              borderWidth="1px"
              borderRadius="md"
              overflow="hidden"
              bg="bg.surface"
            >
              {shown.map((row) => {
                const { key } = row.node;
                return (
                  <OptionRow
                    key={key}
                    {...row}
                    number={numbers.get(key) ?? ''}
                    queues={queues}
                    currentQueueId={currentQueueId}
                    errors={errors[key]}
                    open={open.has(key)}
                    editing={editing === key && dragged === null}
                    active={activeKey === key}
                    tested={testedKey === key}
                    dragged={lifted.has(key)}
                    commands={commands}
                    onKeyDown={onKeyDown}
                  />
                );
              })}
            </chakra.div>
            {drop && <DropLine drop={drop} />}
          </chakra.div>
        </DndContext>
      )}
      {/* Sticky, because a long tree ends out of sight: the message and the undo button must be
          visible. */}
      <chakra.div role="status" position="sticky" bottom="0" zIndex="3">
        {notice && (
          <chakra.div
            key={notice.removed?.node.key}
            display="flex"
            alignItems="center"
            gap="2"
            mt="2"
            ps="3"
            pe="1"
            py="1"
            minH="9"
            borderRadius="md"
            bg="bg.raised"
            boxShadow="popover"
            textStyle="sm"
          >
            {!notice.removed && <CircleAlert size={16} aria-hidden />}
            <chakra.span flex="1">{notice.text}</chakra.span>
            {notice.removed && (
              <Button
                size="sm"
                variant="ghost"
                color="brand.fg"
                icon={<Undo2 size={16} />}
                // No other element is left to focus.
                autoFocus={value.length === 0}
                onClick={commands.undo}
              >
                {t('actions.undo')}
              </Button>
            )}
            <IconButton
              size="sm"
              icon={<X size={16} />}
              label={t('actions.dismiss')}
              onClick={closeNotice}
            />
          </chakra.div>
        )}
      </chakra.div>
      <chakra.div srOnly aria-live="polite">
        {words}
      </chakra.div>
      {value.length > 0 && (
        <chakra.p hideBelow="sm" mt="1.5" textStyle="xs" color="fg.muted">
          {t('keys')}
        </chakra.p>
      )}
    </chakra.section>
  );
}

const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

const parentsOf = (options: readonly OptionDraft[]): string[] =>
  options.flatMap(({ key, children }) =>
    children.length > 0 ? [key, ...parentsOf(children)] : [],
  );

/** The keys of a node and its descendants. */
function keysBelow(options: readonly OptionDraft[], key: string): string[] {
  const found = findNode(options, key)?.node;
  return found ? visibleNodes([found], () => true).map(({ node }) => node.key) : [];
}

const numbersOf = (options: readonly OptionDraft[], shown: readonly VisibleNode[]) =>
  new Map(shown.map(({ node }) => [node.key, numberOf(options, node.key)]));

function DropLine({ drop }: { drop: Drop }) {
  return (
    <chakra.div
      aria-hidden
      data-drop-level={drop.level}
      position="absolute"
      insetEnd="0"
      h="3px"
      borderRadius="full"
      bg="brand.solid"
      zIndex="2"
      pointerEvents="none"
      style={{ top: drop.top - 1, insetInlineStart: 36 + (drop.level - 1) * INDENT }}
    />
  );
}

function NoOptions({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation('queueBot');
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      alignItems="center"
      gap="1"
      px="4"
      py="5"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor="border.strong"
      borderRadius="md"
      textAlign="center"
    >
      <chakra.span color="fg.muted" aria-hidden>
        <ListTree size={20} />
      </chakra.span>
      <chakra.p textStyle="sm" color="fg.muted" maxW="52ch">
        {t('empty')}
      </chakra.p>
      <Button mt="2" size="sm" variant="outline" icon={<Plus size={16} />} onClick={onAdd}>
        {t('actions.addFirst')}
      </Button>
    </chakra.div>
  );
}
