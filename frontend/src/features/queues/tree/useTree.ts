import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useStableCallback } from '@/lib/useStableCallback';
import {
  countOptions,
  MAX_OPTIONS,
  newOption,
  type OptionDraft,
  type OptionErrors,
} from '../drafts';
import {
  ancestorsOf,
  changeNode,
  findNode,
  indentNode,
  insertNode,
  moveNode,
  numberOf,
  outdentNode,
  removeNode,
  stepNode,
  visibleNodes,
  type Outcome,
  type Place,
} from './operations';
import { rowOf } from './rows';

export type Move = 'up' | 'down' | 'in' | 'out';

/** The commands of rows; the functions are stable while the tree is mounted. */
export interface TreeCommands {
  change: (key: string, changes: Partial<Omit<OptionDraft, 'key' | 'children'>>) => void;
  addInside: (key: string | null) => void;
  addAfter: (key: string) => void;
  remove: (key: string) => void;
  move: (key: string, move: Move) => void;
  drop: (key: string, place: Place) => void;
  toggle: (key: string, open?: boolean) => void;
  edit: (key: string | null) => void;
  activate: (key: string) => void;
  focus: (key: string) => void;
  undo: () => void;
}

interface Removed {
  node: OptionDraft;
  place: Place;
}

interface Notice {
  text: string;
  removed?: Removed;
}

interface TreeInput {
  value: OptionDraft[];
  onChange: (options: OptionDraft[]) => void;
  errors: OptionErrors;
  testedKey: string | null;
  /** Incremented with each attempt to save that failed because of the tree. */
  attempt: number;
}

/** The element to focus after the next render. */
type Wish = { key: string; part: 'row' | 'title' } | null;

/** The tree's state beside its value: open, edited and active nodes, and the last notice. */
export function useTree({ value, onChange, errors, testedKey, attempt }: TreeInput) {
  const { t } = useTranslation('queueBot');
  const treeRef = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [words, setWords] = useState('');
  const wish = useRef<Wish>(null);

  const shown = useMemo(() => visibleNodes(value, (key) => open.has(key)), [value, open]);
  const reveal = useCallback((options: readonly OptionDraft[], keys: readonly string[]) => {
    const above = keys.flatMap((key) => ancestorsOf(options, key));
    if (above.length > 0) setOpen((before) => new Set([...before, ...above]));
  }, []);

  // Nodes with errors and the test's current node are never hidden in a closed node.
  const wrong = Object.keys(errors).filter((key) => findNode(value, key));
  const sign = wrong.join(' ');
  const [seen, setSeen] = useState({ sign: '', testedKey: null as string | null, attempt });
  if (seen.sign !== sign || seen.testedKey !== testedKey || seen.attempt !== attempt) {
    setSeen({ sign, testedKey, attempt });
    reveal(value, testedKey === null ? wrong : [...wrong, testedKey]);
    // While the user corrects errors one by one, the open editor stays, until the next attempt to
    // save.
    if ((seen.sign === '' || seen.attempt !== attempt) && wrong[0] !== undefined)
      setEditing(wrong[0]);
  }
  useEffect(() => {
    if (testedKey === null) return;
    rowOf(treeRef.current, testedKey)?.scrollIntoView({ block: 'nearest' });
  }, [testedKey]);

  const showWrong = useEffectEvent(() => {
    const row = wrong[0] === undefined ? null : rowOf(treeRef.current, wrong[0]);
    row?.scrollIntoView({ block: 'nearest' });
    const field = row?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (field ?? row?.querySelector('input'))?.focus();
  });
  useEffect(() => {
    if (attempt > 0) showWrong();
  }, [attempt]);

  useLayoutEffect(() => {
    if (!wish.current) return;
    const { key, part } = wish.current;
    const row = rowOf(treeRef.current, key);
    const target = part === 'title' ? row?.querySelector('input') : row;
    if (!target) return;
    wish.current = null;
    target.focus();
    row?.scrollIntoView({ block: 'nearest' });
  });

  function put(outcome: Outcome, key: string): boolean {
    if ('refusal' in outcome) {
      setNotice({ text: t(`refused.${outcome.refusal}`) });
      return false;
    }
    setNotice(null);
    onChange(outcome.options);
    reveal(outcome.options, [key]);
    setActiveKey(key);
    return true;
  }

  function moved(outcome: Outcome, key: string) {
    if (!put(outcome, key) || !('options' in outcome)) return;
    wish.current = { key, part: 'row' };
    const found = findNode(outcome.options, key);
    if (!found) return;
    const place = { title: nameOf(found.node), number: numberOf(outcome.options, key) };
    setWords(
      found.parent
        ? t('moved.inside', { ...place, parent: nameOf(found.parent) })
        : t('moved.top', place),
    );
  }

  function add(place: Place) {
    if (countOptions(value) >= MAX_OPTIONS) {
      setNotice({ text: t('refused.count', { count: MAX_OPTIONS }) });
      return;
    }
    const parent = place.parentKey === null ? null : findNode(value, place.parentKey)?.node;
    const node = newOption();
    if (!put(insertNode(value, node, place), node.key)) return;
    setEditing(node.key);
    wish.current = { key: node.key, part: 'title' };
    if (parent && parent.redirectionQueueId !== null)
      setNotice({ text: t('noLongerLeads', { title: nameOf(parent) }) });
  }

  const nameOf = (node: OptionDraft) => node.title.trim() || t('untitled');

  const commands: TreeCommands = {
    change: (key, changes) => onChange(changeNode(value, key, changes)),
    addInside: (key) =>
      add({
        parentKey: key,
        index: key === null ? value.length : (findNode(value, key)?.node.children.length ?? 0),
      }),
    addAfter: (key) => {
      const found = findNode(value, key);
      if (found) add({ parentKey: found.parentKey, index: found.index + 1 });
    },
    remove: (key) => {
      const found = findNode(value, key);
      if (!found) return;
      const { node, parentKey, index, siblings } = found;
      const neighbour = siblings[index + 1] ?? siblings[index - 1] ?? found.parent;
      onChange(removeNode(value, key));
      if (editing === key) setEditing(null);
      setActiveKey(neighbour?.key ?? null);
      if (neighbour) wish.current = { key: neighbour.key, part: 'row' };
      setNotice({
        text: t('removed', { title: nameOf(node), count: countOptions(node.children) }),
        removed: { node, place: { parentKey, index } },
      });
    },
    undo: () => {
      const removed = notice?.removed;
      if (!removed) return;
      const { node, place } = removed;
      const isHome = place.parentKey === null || findNode(value, place.parentKey) !== undefined;
      const home = isHome ? place : { parentKey: null, index: value.length };
      if (put(insertNode(value, node, home), node.key))
        wish.current = { key: node.key, part: 'row' };
    },
    move: (key, move) => {
      if (move === 'in') moved(indentNode(value, key), key);
      else if (move === 'out') moved(outdentNode(value, key), key);
      else moved(stepNode(value, key, move === 'up' ? -1 : 1), key);
    },
    drop: (key, place) => moved(moveNode(value, key, place), key),
    toggle: (key, isOpen) =>
      setOpen((before) => {
        const after = new Set(before);
        if (isOpen ?? !before.has(key)) after.add(key);
        else after.delete(key);
        return after;
      }),
    edit: (key) => {
      setEditing(key);
      if (key === null) {
        if (editing !== null) wish.current = { key: editing, part: 'row' };
        return;
      }
      setActiveKey(key);
      wish.current = { key, part: 'title' };
    },
    activate: setActiveKey,
    focus: (key) => {
      setActiveKey(key);
      rowOf(treeRef.current, key)?.focus();
    },
  };
  const run = useStableCallback((command: (latest: TreeCommands) => void) => command(commands));
  // Stable functions, so that memoised rows do not render again.
  const stable = useMemo(
    (): TreeCommands => ({
      change: (key, changes) => run((latest) => latest.change(key, changes)),
      addInside: (key) => run((latest) => latest.addInside(key)),
      addAfter: (key) => run((latest) => latest.addAfter(key)),
      remove: (key) => run((latest) => latest.remove(key)),
      move: (key, move) => run((latest) => latest.move(key, move)),
      drop: (key, place) => run((latest) => latest.drop(key, place)),
      toggle: (key, isOpen) => run((latest) => latest.toggle(key, isOpen)),
      edit: (key) => run((latest) => latest.edit(key)),
      activate: (key) => run((latest) => latest.activate(key)),
      focus: (key) => run((latest) => latest.focus(key)),
      undo: () => run((latest) => latest.undo()),
    }),
    [run],
  );

  return {
    treeRef,
    shown,
    open,
    setOpen,
    editing,
    /** The only row in the tab order. */
    activeKey: shown.some(({ node }) => node.key === activeKey)
      ? activeKey
      : (shown[0]?.node.key ?? null),
    notice,
    closeNotice: () => setNotice(null),
    words,
    commands: stable,
  };
}
