import { describe, expect, it } from 'vitest';
import {
  countOptions,
  depthOf,
  fileChanges,
  newOption,
  optionDrafts,
  optionErrors,
  type OptionDraft,
} from './drafts';
import { fileOf } from './files';
import { foldQueues, movedQueues } from './fold';
import { firstFree, moveInGrid, PALETTE } from './palette';
import { adviceOf, firstOf, lacksOf } from './reach';
import { draftOf, missingWords, optionIds, queueBody, queueSchema } from './schemas';
import type { Queue, QueueWithOptions } from './types';

const queue = (id: number, change: Partial<Queue> = {}): Queue => ({
  id,
  name: `Fila ${id}`,
  color: '#0F8EA3',
  orderQueue: id,
  greetingMessage: '',
  complationMessage: '',
  outOfHoursMessage: '',
  ratingMessage: '',
  expireChat: false,
  asksTransferNote: false,
  schedules: [],
  integrationId: null,
  promptId: null,
  hasConnection: true,
  hasAttendants: true,
  companyId: 1,
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-20T10:00:00Z',
  ...change,
});

it.each([
  [true, true, [], undefined],
  [false, true, ['connection'], 'connection'],
  [true, false, ['attendants'], 'attendants'],
  [false, false, ['connection', 'attendants'], 'both'],
])('a queue says what it lacks', (hasConnection, hasAttendants, lacks, advice) => {
  const one = queue(1, { hasConnection, hasAttendants });
  expect(lacksOf(one)).toEqual(lacks);
  expect(adviceOf(one)).toBe(advice);
});

it.each([
  [true, true, 'number'],
  [false, true, 'alone'],
  [true, false, null],
  [false, false, null],
])('a new queue with attendants is the first one', (hasConnection, hasAttendants, first) => {
  expect(firstOf({ hasConnection, hasAttendants })).toBe(first);
});

const ids = (queues: readonly Queue[]) => queues.map(({ id }) => id);

type Node = QueueWithOptions['options'][number];
const node = (id: number, children: Node[] = []): Node => ({
  id,
  title: `Opção ${id}`,
  message: '',
  option: 1,
  queueId: 1,
  parentId: null,
  redirectionQueueId: null,
  tagId: null,
  asks: '',
  asksField: '',
  asksTogether: false,
  mediaPath: null,
  mediaName: null,
  mediaMime: null,
  mediaSize: null,
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-20T10:00:00Z',
  children,
});
const draft = (key: string, children: OptionDraft[] = [], title = key): OptionDraft => ({
  ...newOption(),
  key,
  title,
  children,
});

URL.createObjectURL = () => 'blob:2';

describe('the list of queues', () => {
  const known = [queue(1), queue(2), queue(3)];

  it('takes news to their place and ignores older ones', () => {
    const first = queue(3, { orderQueue: 0, updatedAt: '2026-11-20T11:00:00Z' });
    expect(ids(foldQueues(known, { action: 'update', queue: first }))).toEqual([3, 1, 2]);
    const old = queue(1, { name: 'Velha', updatedAt: '2026-11-19T10:00:00Z' });
    expect(foldQueues(known, { action: 'update', queue: old })).toBe(known);
    const fresh = queue(4, { orderQueue: 2 });
    expect(ids(foldQueues(known, { action: 'update', queue: fresh }))).toEqual([1, 2, 4, 3]);
    const unordered = queue(0, { orderQueue: null });
    expect(ids(foldQueues(known, { action: 'update', queue: unordered }))).toEqual([1, 2, 3, 0]);
    expect(ids(foldQueues(known, { action: 'delete', queueId: 2 }))).toEqual([1, 3]);
  });

  it('swaps neighbours, and numbers anew those that share a number', () => {
    const swapped = movedQueues(known, 2, -1);
    expect(swapped.map(({ id, orderQueue }) => [id, orderQueue])).toEqual([
      [2, 1],
      [1, 2],
    ]);
    const same = [1, 2, 3].map((id) => queue(id, { orderQueue: 5 }));
    expect(movedQueues(same, 3, -1).map(({ id, orderQueue }) => [id, orderQueue])).toEqual([
      [1, 1],
      [3, 2],
      [2, 3],
    ]);
    const last = [queue(1), queue(2, { orderQueue: null })];
    expect(movedQueues(last, 2, -1).map(({ id, orderQueue }) => [id, orderQueue])).toEqual([
      [2, 1],
      [1, 2],
    ]);
    expect(movedQueues(known, 1, -1)).toEqual([]);
    expect(movedQueues(known, 3, 1)).toEqual([]);
  });
});

describe('the palette', () => {
  it('has 50 colours, each once', () => {
    expect(new Set(PALETTE.map(({ value }) => value)).size).toBe(50);
  });

  it('gives a new queue a colour that none has, until all are taken', () => {
    const first = firstFree([]);
    expect(first).not.toBe('');
    expect(firstFree([first.toLowerCase()])).not.toBe(first);
    expect(firstFree(PALETTE.map(({ value }) => value))).toBe('');
  });

  it('is walked in all directions and ends at its edges', () => {
    expect(moveInGrid(0, 'ArrowDown', 50)).toBe(10);
    expect(moveInGrid(3, 'ArrowUp', 50)).toBe(3);
    expect(moveInGrid(49, 'ArrowRight', 50)).toBe(49);
    expect(moveInGrid(20, 'Home', 50)).toBe(0);
    expect(moveInGrid(20, 'Tab', 50)).toBeUndefined();
  });
});

describe('a draft', () => {
  const saved: QueueWithOptions = {
    ...queue(1, { complationMessage: 'Até logo' }),
    options: [node(1, [node(2)]), node(3)],
  };

  it('is what was saved, and goes back as it came', () => {
    const opened = draftOf(saved);
    expect(queueSchema.safeParse(opened).success).toBe(true);
    expect(opened.completionMessage).toBe('Até logo');
    expect(queueBody(opened)).toMatchObject({
      name: 'Fila 1',
      complationMessage: 'Até logo',
      options: [{ id: 1, children: [{ id: 2, children: [] }] }, { id: 3 }],
    });
  });

  it('makes new what the saved menu lost meanwhile', () => {
    const body = queueBody(draftOf(saved), optionIds([node(1)]));
    expect(body.options).toMatchObject([{ id: 1, children: [{ title: 'Opção 2' }] }, {}]);
    expect(body.options?.[0]?.children?.[0]).not.toHaveProperty('id');
    expect(body.options?.[1]).not.toHaveProperty('id');
  });

  it('counts its options and levels', () => {
    const { options } = draftOf(saved);
    expect([countOptions(options), depthOf(options), depthOf([])]).toEqual([3, 2, 0]);
  });

  it('names every option without a title', () => {
    const options = [draft('a', [draft('b', [], ' ')]), draft('c', [], '')];
    expect(Object.keys(missingWords(options)).sort()).toEqual(['b', 'c']);
  });

  it('sends new files to the saved options, and takes those away that went', () => {
    const file = new File(['x'], 'tabela.pdf');
    const chosen = {
      name: 'tabela.pdf',
      mime: 'application/pdf',
      size: 1,
      address: 'blob:1',
      file,
    };
    const stored = { ...node(3), mediaPath: 'https://casa/3', mediaName: 'velho.pdf' };
    const kept = optionDrafts([{ ...node(4), mediaPath: 'https://casa/4' }]);
    const options = [
      draft('a', [
        { ...draft('b'), file: chosen },
        { ...draft('c'), file: null },
      ]),
      ...kept,
    ];
    const saved = [node(1, [node(2), stored]), { ...node(4), mediaPath: 'https://casa/4' }];
    expect(fileChanges(options, saved)).toEqual([
      { id: 2, name: 'tabela.pdf', file },
      { id: 3, name: 'velho.pdf', file: null },
    ]);
    expect(fileOf(options, 'b')?.name).toBe('tabela.pdf');
  });

  it('names every question whose answer would be kept nowhere', () => {
    const asking = (key: string, asks: OptionDraft['asks'], asksField = ' ') => ({
      ...draft(key),
      asks,
      asksField,
    });
    const options = [asking('a', 'cpf'), asking('b', 'name'), asking('c', 'text', 'Motivo')];
    expect(missingWords(options)).toEqual({ a: { asksField: 'queues:asksFieldRequired' } });
  });

  it('brings a refusal to its option', () => {
    const options = [draft('a', [draft('b'), draft('c')]), draft('d')];
    const errors = optionErrors(options, {
      'options.0.children.1.title': ['Longo.'],
      'options.0.children.0.redirectionQueueId': ['Não existe.'],
      'options.1.id': ['Sumiu.'],
      'options.0.children': ['Fundo.'],
      'options.7.title': ['Nada.'],
      name: ['Curto.'],
    });
    expect(errors).toEqual({
      a: { children: 'Fundo.' },
      b: { redirectionQueueId: 'Não existe.' },
      c: { title: 'Longo.' },
      d: { title: 'Sumiu.' },
    });
  });
});

it.each([
  [{ name: 'A' }, 'name'],
  [{ name: '  ' }, 'name'],
  [{ color: '#1' }, 'color'],
  [{ color: '#123456789' }, 'color'],
  [{ orderQueue: Number.NaN }, 'orderQueue'],
  [{ orderQueue: 1.5 }, 'orderQueue'],
  [{ greetingMessage: 'a'.repeat(4097) }, 'greetingMessage'],
])('refuses %j', (change, field) => {
  const { error } = queueSchema.safeParse({ ...draftOf({ ...queue(1), options: [] }), ...change });
  expect(error?.issues.map(({ path }) => path[0])).toContain(field);
});
