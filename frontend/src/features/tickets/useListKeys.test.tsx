import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endListFocus, focusList } from './listFocus';
import type { Ticket } from './types';
import { useListKeys } from './useListKeys';

const ticket = (id: number) => ({ id, uuid: `u${id}` }) as Ticket;
const THREE = [ticket(3), ticket(2), ticket(1)];
const acted = vi.fn();
const opened = vi.fn();

interface ListProps {
  tickets: Ticket[];
  selected?: string;
  /** Callbacks to run after the list has scrolled. */
  scrolled?: (() => void)[];
}

function List({ tickets, selected, scrolled }: ListProps) {
  const virtuoso = {
    scrollIntoView: ({ done }: { done?: () => void }) => done && scrolled?.push(done),
  };
  const region = useRef<HTMLDivElement>(null);
  const keys = useListKeys({
    tickets,
    selected,
    virtuoso: useRef(virtuoso),
    region,
    onOpen: ({ id }) => opened(id) as unknown,
    onKeyAction: ({ id }, action) => acted(action, id) as unknown,
  });
  return (
    <>
      <button>Fora</button>
      <div ref={region} onKeyDown={keys.onKeyDown} onClick={keys.onClick}>
        {tickets.map((each) => (
          <div key={each.id} data-ticket={each.id} onFocus={() => keys.onRowFocus(each)}>
            <a href={`#${each.id}`} tabIndex={each.id === keys.current ? 0 : -1}>
              {`Conversa ${each.id}`}
            </a>
          </div>
        ))}
      </div>
    </>
  );
}

const rowOf = (id: number) => screen.getByText(`Conversa ${id}`);
const acts = () => acted.mock.calls as [string, number][];

beforeEach(() => {
  acted.mockReset();
  opened.mockReset();
});
afterEach(() => {
  cleanup();
  endListFocus();
});

test('letters act on the row that Tab or an arrow led to', async () => {
  render(<List tickets={THREE} />);
  const user = userEvent.setup();
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(rowOf(3));
  await user.keyboard('r{ArrowDown}a');
  expect(acts()).toEqual([
    ['return', 3],
    ['accept', 2],
  ]);
});

test('the row that the focus falls on when another leaves takes no letter but after a move', async () => {
  const { rerender } = render(<List tickets={THREE} />);
  const user = userEvent.setup();
  act(() => focusList());
  await user.keyboard('r');
  rerender(<List tickets={THREE.slice(1)} />);
  // Like the page's focus tracking.
  act(() => rowOf(2).focus());
  await user.keyboard('r{Control>}{Enter}{/Control}a');
  expect(acts()).toEqual([['return', 3]]);
  await user.keyboard('{ArrowDown}{ArrowUp}r');
  expect(acts().slice(1)).toEqual([['return', 2]]);
});

test('a row that left before a key was pressed leaves no letters to the next', async () => {
  const { rerender } = render(<List tickets={THREE} />);
  const user = userEvent.setup();
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(rowOf(3));
  rerender(<List tickets={THREE.slice(1)} />);
  act(() => rowOf(2).focus());
  await user.keyboard('ra');
  expect(acts()).toEqual([]);
});

test('a list that is led to without a row chosen takes letters after a move', async () => {
  render(<List tickets={THREE} />);
  const user = userEvent.setup();
  act(() => focusList(0));
  expect(document.activeElement).toBe(rowOf(3));
  await user.keyboard('ra{Control>}{Enter}{/Control}');
  expect(acts()).toEqual([]);
  // Neither key is destructive: a transfer asks first, and Alt with an arrow opens the current row.
  await user.keyboard('t{Alt>}{ArrowDown}{/Alt}');
  expect(acts()).toEqual([['transfer', 3]]);
  expect(opened.mock.calls).toEqual([[3]]);
  await user.keyboard('{ArrowDown}r');
  expect(acts().slice(1)).toEqual([['return', 2]]);
});

test('a key that is held acts once', () => {
  render(<List tickets={THREE} />);
  act(() => focusList());
  const held = { key: 'r', repeat: true };
  fireEvent.keyDown(rowOf(3), { key: 'r' });
  fireEvent.keyDown(rowOf(3), held);
  fireEvent.keyDown(rowOf(3), { ...held, key: 'a' });
  fireEvent.keyDown(rowOf(3), { ...held, key: 'Enter', ctrlKey: true });
  fireEvent.keyDown(rowOf(3), { ...held, key: 't' });
  expect(acts()).toEqual([['return', 3]]);
});

test('a word that begins outside with j does nothing to a row', async () => {
  render(<List tickets={THREE} />);
  const user = userEvent.setup();
  await user.tab();
  await user.keyboard('jar');
  expect(document.activeElement).toBe(rowOf(3));
  expect(acts()).toEqual([]);
  await user.keyboard('jr');
  expect(acts()).toEqual([['return', 2]]);
});

test('a press takes the letters from a row', async () => {
  render(<List tickets={THREE} />);
  const user = userEvent.setup();
  act(() => focusList());
  await user.pointer({ keys: '[MouseLeft>]', target: rowOf(3) });
  await user.keyboard('r');
  expect(acts()).toEqual([]);
});

test.each([
  ['a key', () => userEvent.keyboard('x')],
  ['a pointer', () => userEvent.pointer({ keys: '[MouseLeft]', target: document.body })],
])('a row that comes after a press of %s takes no focus', async (_, press) => {
  const { rerender } = render(<List tickets={[]} />);
  act(() => focusList());
  screen.getByText('Fora').focus();
  await press();
  const before = document.activeElement;
  rerender(<List tickets={THREE} />);
  // The focus tracking is notified after this.
  await act(() => Promise.resolve());
  expect(document.activeElement).toBe(before);
  expect(acts()).toEqual([]);
});

test('a row that comes before one presses anything takes the focus', async () => {
  const { rerender } = render(<List tickets={[]} />);
  act(() => focusList());
  rerender(<List tickets={THREE} />);
  await act(() => Promise.resolve());
  expect(document.activeElement).toBe(rowOf(3));
});

test('a list that was scrolled to its row takes no focus from who went on', async () => {
  const scrolled: (() => void)[] = [];
  const { rerender } = render(<List tickets={THREE} scrolled={scrolled} />);
  act(() => focusList());
  expect(document.activeElement).toBe(rowOf(3));
  rerender(<List tickets={THREE} scrolled={scrolled} />);
  await userEvent.click(screen.getByText('Fora'));
  act(() => scrolled.forEach((done) => done()));
  expect(document.activeElement).toBe(screen.getByText('Fora'));
});

test('who comes from a conversation is led to its row, not to the one pressed last', async () => {
  const { rerender } = render(<List tickets={THREE} selected="u3" />);
  await userEvent.click(rowOf(3));
  // Opened from elsewhere: by a notification or the command palette.
  rerender(<List tickets={THREE} selected="u1" />);
  screen.getByText('Fora').focus();
  act(() => focusList());
  expect(document.activeElement).toBe(rowOf(1));
  await userEvent.keyboard('r');
  expect(acts()).toEqual([['return', 1]]);
});

test('who is in the list already stays at the row', async () => {
  render(<List tickets={THREE} selected="u1" />);
  act(() => focusList());
  await userEvent.keyboard('{ArrowUp}');
  act(() => focusList());
  expect(document.activeElement).toBe(rowOf(2));
});

test('the keys 1 to 4 set the priority of the row that was reached by keys', async () => {
  render(<List tickets={THREE} />);
  const user = userEvent.setup();
  await user.tab();
  await user.tab();
  await user.keyboard('1{ArrowDown}4{ArrowDown}5');
  expect(acts()).toEqual([
    ['urgent', 3],
    ['low', 2],
  ]);
});
