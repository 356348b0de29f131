import { depthOf, MAX_DEPTH, type OptionDraft } from '../drafts';

type Options = readonly OptionDraft[];

/** The position of a node: its parent (null: at the top) and its index among the children. */
export interface Place {
  parentKey: string | null;
  index: number;
}

interface Found extends Place {
  node: OptionDraft;
  /** 1 at the top. */
  level: number;
  siblings: Options;
  parent: OptionDraft | null;
}

/** The reason why a node cannot be moved. */
type Refusal = 'first' | 'last' | 'top' | 'alone' | 'inside' | 'depth';

/** The tree after a change, or the reason why there is no change. */
export type Outcome = { options: OptionDraft[] } | { refusal: Refusal };

/** A visible node: all its ancestors are open. */
export interface VisibleNode {
  node: OptionDraft;
  level: number;
  index: number;
  siblingCount: number;
  parentKey: string | null;
}

export function findNode(
  options: Options,
  key: string,
  parent: OptionDraft | null = null,
  level = 1,
): Found | undefined {
  for (const [index, node] of options.entries()) {
    if (node.key === key)
      return { node, level, index, siblings: options, parent, parentKey: parent?.key ?? null };
    const below = findNode(node.children, key, node, level + 1);
    if (below) return below;
  }
  return undefined;
}

/** The visible nodes, from top to bottom. */
export function visibleNodes(
  options: Options,
  isOpen: (key: string) => boolean,
  parentKey: string | null = null,
  level = 1,
): VisibleNode[] {
  return options.flatMap((node, index) => [
    { node, level, index, siblingCount: options.length, parentKey },
    ...(isOpen(node.key) ? visibleNodes(node.children, isOpen, node.key, level + 1) : []),
  ]);
}

/** The path of numbers to a node, as a contact types them: '2.1'. */
export function numberOf(options: Options, key: string): string {
  const found = findNode(options, key);
  if (!found) return '';
  const own = String(found.index + 1);
  return found.parentKey === null ? own : `${numberOf(options, found.parentKey)}.${own}`;
}

/** The keys of a node's ancestors, outermost first. */
export function ancestorsOf(options: Options, key: string): string[] {
  const parentKey = findNode(options, key)?.parentKey ?? null;
  return parentKey === null ? [] : [...ancestorsOf(options, parentKey), parentKey];
}

/** Changes a node's own fields. Nodes outside its path keep their identity. */
export function changeNode(
  options: Options,
  key: string,
  changes: Partial<Omit<OptionDraft, 'key' | 'children'>>,
): OptionDraft[] {
  return mapLevelOf(options, key, (siblings) =>
    siblings.map((node) => (node.key === key ? { ...node, ...changes } : node)),
  );
}

export function removeNode(options: Options, key: string): OptionDraft[] {
  return mapLevelOf(options, key, (siblings) => siblings.filter((node) => node.key !== key));
}

/**
 * Inserts a node with its descendants at a position. A parent that led to another queue then shows
 * options instead: it cannot do both.
 */
export function insertNode(options: Options, node: OptionDraft, place: Place): Outcome {
  const parent = place.parentKey === null ? null : findNode(options, place.parentKey);
  if (parent === undefined) return { refusal: 'inside' };
  if ((parent?.level ?? 0) + depthOf([node]) > MAX_DEPTH) return { refusal: 'depth' };
  const into = (siblings: Options) => siblings.toSpliced(place.index, 0, node);
  if (!parent) return { options: into(options) };
  return {
    options: mapLevelOf(options, parent.node.key, (siblings) =>
      siblings.map((each) =>
        each === parent.node
          ? { ...each, redirectionQueueId: null, children: into(each.children) }
          : each,
      ),
    ),
  };
}

/** Moves a node; the index counts its new siblings without itself. */
export function moveNode(options: Options, key: string, place: Place): Outcome {
  const found = findNode(options, key);
  if (!found) return { refusal: 'inside' };
  if (place.parentKey !== null && findNode([found.node], place.parentKey))
    return { refusal: 'inside' };
  return insertNode(removeNode(options, key), found.node, place);
}

/** Moves a node up (-1) or down (1) among its siblings. */
export function stepNode(options: Options, key: string, step: -1 | 1): Outcome {
  const found = findNode(options, key);
  if (!found) return { refusal: 'inside' };
  const index = found.index + step;
  if (index < 0) return { refusal: 'first' };
  if (index >= found.siblings.length) return { refusal: 'last' };
  return moveNode(options, key, { parentKey: found.parentKey, index });
}

/** Makes a node the last child of its previous sibling. */
export function indentNode(options: Options, key: string): Outcome {
  const found = findNode(options, key);
  const before = found?.siblings[found.index - 1];
  if (!before) return { refusal: 'alone' };
  return moveNode(options, key, { parentKey: before.key, index: before.children.length });
}

/** Moves a node after its parent, one level up. */
export function outdentNode(options: Options, key: string): Outcome {
  const parentKey = findNode(options, key)?.parentKey ?? null;
  const parent = parentKey === null ? undefined : findNode(options, parentKey);
  if (!parent) return { refusal: 'top' };
  return moveNode(options, key, { parentKey: parent.parentKey, index: parent.index + 1 });
}

/** Changes the list of siblings that contains a node. */
function mapLevelOf(
  options: Options,
  key: string,
  change: (siblings: Options) => OptionDraft[],
): OptionDraft[] {
  if (options.some((node) => node.key === key)) return change(options);
  return options.map((node) => {
    if (node.children.length === 0 || !findNode(node.children, key)) return node;
    return { ...node, children: mapLevelOf(node.children, key, change) };
  });
}

/**
 * The position at which a dragged node would be dropped: `slot` is its index among the visible
 * nodes without itself, `wanted` the level under the pointer. Null if the tree would be too deep.
 */
export function placeInSlot(
  shown: readonly VisibleNode[],
  slot: number,
  wanted: number,
  depth: number,
): (Place & { level: number }) | null {
  const before = shown[slot - 1];
  const after = shown[slot];
  const deepest = Math.min((before?.level ?? 0) + 1, MAX_DEPTH - depth + 1);
  const shallowest = after?.level ?? 1;
  if (deepest < shallowest) return null;
  const level = Math.min(deepest, Math.max(shallowest, wanted));
  if (before && level === before.level + 1) {
    const index = after?.parentKey === before.node.key ? 0 : before.node.children.length;
    return { parentKey: before.node.key, index, level };
  }
  // The previous sibling is the last visible node of its level.
  const sibling = shown.slice(0, slot).findLast((each) => each.level === level);
  return sibling
    ? { parentKey: sibling.parentKey, index: sibling.index + 1, level }
    : { parentKey: null, index: 0, level };
}
