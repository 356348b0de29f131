import { expect, test } from 'vitest';
import { filtersOf, formatView, parseView } from './view';

test('a view survives the address', () => {
  const view = {
    tab: 'search',
    subTab: 'pending',
    showAll: true,
    queues: [0, 3],
    search: 'maria',
  } as const;
  expect(parseView(formatView({ ...view, queues: [...view.queues] }))).toEqual(view);
});

test('rubbish in the address is the usual view', () => {
  const view = parseView(new URLSearchParams('tab=x&list=y&queues=a,-1,2&all=2'));
  expect(view).toEqual({ tab: 'open', subTab: 'open', showAll: false, queues: [2], search: '' });
  expect(formatView({ ...view, queues: [] }).toString()).toBe('');
});

test('a search is lower-cased and looks through all statuses', () => {
  const filters = filtersOf({
    tab: 'search',
    subTab: 'open',
    showAll: false,
    queues: [],
    search: ' Ana ',
  });
  expect(filters).toEqual({ showAll: false, queues: [], search: 'ana' });
});
