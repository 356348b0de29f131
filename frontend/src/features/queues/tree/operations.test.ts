import { expect, test } from 'vitest';
import { newOption, type OptionDraft } from '../drafts';
import {
  ancestorsOf,
  changeNode,
  findNode,
  indentNode,
  insertNode,
  moveNode,
  numberOf,
  outdentNode,
  placeInSlot,
  removeNode,
  stepNode,
  visibleNodes,
  type Outcome,
} from './operations';

/** 'a(b,c(d)),e' as a tree. */
function tree(text: string): OptionDraft[] {
  let at = 0;
  const level = (): OptionDraft[] => {
    const nodes: OptionDraft[] = [];
    while (at < text.length && text[at] !== ')') {
      const key = /^\w+/.exec(text.slice(at))?.[0] ?? '';
      at += key.length;
      let children: OptionDraft[] = [];
      if (text[at] === '(') {
        at += 1;
        children = level();
        at += 1;
      }
      if (text[at] === ',') at += 1;
      nodes.push({ ...newOption(), key, title: key, children });
    }
    return nodes;
  };
  return level();
}

const shape = (options: readonly OptionDraft[]): string =>
  options.map(({ key, children }) => key + (children.length ? `(${shape(children)})` : '')).join();

const after = (outcome: Outcome) =>
  'options' in outcome ? shape(outcome.options) : outcome.refusal;

const leaf = (key: string): OptionDraft => tree(key)[0] as OptionDraft;
const TEN = 'a(b(c(d(e(f(g(h(i(j)))))))))';

test('a node is found with its place and its numbers', () => {
  const options = tree('a(b,c(d)),e');
  expect(findNode(options, 'd')).toMatchObject({ level: 3, index: 0, parentKey: 'c' });
  expect(findNode(options, 'x')).toBeUndefined();
  expect(numberOf(options, 'd')).toBe('1.2.1');
  expect(ancestorsOf(options, 'd')).toEqual(['a', 'c']);
});

test('only what is open is shown', () => {
  const shown = visibleNodes(tree('a(b,c(d)),e'), (key) => key === 'a');
  expect(shown.map(({ node, level }) => node.key + String(level))).toEqual([
    'a1',
    'b2',
    'c2',
    'e1',
  ]);
});

test('a change leaves the nodes beside it the same objects', () => {
  const options = tree('a(b,c),e(f)');
  const changed = changeNode(options, 'b', { title: 'Novo' });
  expect(findNode(changed, 'b')?.node.title).toBe('Novo');
  expect(changed[1]).toBe(options[1]);
  expect(changed[0]?.children[1]).toBe(options[0]?.children[1]);
});

test('a node goes with all below it', () => {
  expect(shape(removeNode(tree('a(b,c(d)),e'), 'c'))).toBe('a(b),e');
  expect(shape(removeNode(tree('a'), 'a'))).toBe('');
});

test('a node is put where it is wanted', () => {
  expect(after(insertNode(tree('a,b'), leaf('n'), { parentKey: null, index: 1 }))).toBe('a,n,b');
  expect(after(insertNode(tree('a(c),b'), leaf('n'), { parentKey: 'a', index: 0 }))).toBe(
    'a(n,c),b',
  );
});

test('what shows options no longer leads to a queue', () => {
  const options = changeNode(tree('a'), 'a', { redirectionQueueId: 4 });
  const outcome = insertNode(options, leaf('n'), { parentKey: 'a', index: 0 });
  expect('options' in outcome && outcome.options[0]?.redirectionQueueId).toBeNull();
});

test('ten levels are the end', () => {
  expect(after(insertNode(tree(TEN), leaf('n'), { parentKey: 'i', index: 0 }))).toContain('n,j');
  expect(after(insertNode(tree(TEN), leaf('n'), { parentKey: 'j', index: 0 }))).toBe('depth');
  expect(after(moveNode(tree(`${TEN},k(l)`), 'k', { parentKey: 'i', index: 0 }))).toBe('depth');
  expect(after(indentNode(tree(`z,${TEN}`), 'a'))).toBe('depth');
});

test('a node moves up and down among its siblings', () => {
  expect(after(stepNode(tree('a,b,c'), 'b', -1))).toBe('b,a,c');
  expect(after(stepNode(tree('a,b,c'), 'b', 1))).toBe('a,c,b');
  expect(after(stepNode(tree('a,b'), 'a', -1))).toBe('first');
  expect(after(stepNode(tree('a(b)'), 'b', 1))).toBe('last');
});

test('a node goes into the one before it, and out after its parent', () => {
  expect(after(indentNode(tree('a(x),b(y),c'), 'b'))).toBe('a(x,b(y)),c');
  expect(after(outdentNode(tree('a(x,b(y)),c'), 'b'))).toBe('a(x),b(y),c');
  expect(after(indentNode(tree('a,b'), 'a'))).toBe('alone');
  expect(after(outdentNode(tree('a,b'), 'b'))).toBe('top');
});

test('nothing goes into itself', () => {
  expect(after(moveNode(tree('a(b)'), 'a', { parentKey: 'b', index: 0 }))).toBe('inside');
  expect(after(moveNode(tree('a'), 'a', { parentKey: 'a', index: 0 }))).toBe('inside');
});

test('a dragged node lands at the level that the pointer asks for', () => {
  // 'x' is dragged; the rest is shown.
  const shown = visibleNodes(tree('a(b,c(d)),e'), () => true);
  const place = (slot: number, wanted: number) => placeInSlot(shown, slot, wanted, 1);
  expect(place(0, 5)).toEqual({ parentKey: null, index: 0, level: 1 });
  // Before 'b' it can only be the first of 'a'.
  expect(place(1, 1)).toEqual({ parentKey: 'a', index: 0, level: 2 });
  expect(place(2, 3)).toEqual({ parentKey: 'b', index: 0, level: 3 });
  expect(place(2, 2)).toEqual({ parentKey: 'a', index: 1, level: 2 });
  // After 'd', the last of its branch: at any level.
  expect(place(4, 4)).toEqual({ parentKey: 'd', index: 0, level: 4 });
  expect(place(4, 3)).toEqual({ parentKey: 'c', index: 1, level: 3 });
  expect(place(4, 2)).toEqual({ parentKey: 'a', index: 2, level: 2 });
  expect(place(4, 1)).toEqual({ parentKey: null, index: 1, level: 1 });
  expect(place(5, 1)).toEqual({ parentKey: null, index: 2, level: 1 });
});

test('into a closed node it goes to the end', () => {
  const shown = visibleNodes(tree('a(b,c),e'), () => false);
  expect(placeInSlot(shown, 1, 2, 1)).toEqual({ parentKey: 'a', index: 2, level: 2 });
});

test('where it would be too deep a dragged node does not land', () => {
  const shown = visibleNodes(tree(TEN), () => true);
  expect(placeInSlot(shown, 9, 9, 3)).toBeNull();
  expect(placeInSlot(shown, 10, 11, 1)?.level).toBe(10);
});
