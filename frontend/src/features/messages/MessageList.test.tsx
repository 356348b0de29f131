import { ChakraProvider } from '@chakra-ui/react';
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { system } from '@/theme';
import type { Entry } from './entries';
import { MessageList } from './MessageList';
import type { RowHandlers } from './MessageRow';
import { makeMessage } from './testData';

type Sized = (entries: { target: Element }[]) => void;

beforeEach(() => {
  vi.useFakeTimers();
  // The test DOM scrolls nothing.
  Element.prototype.scrollTo = vi.fn();
  // Like browsers, which notify observers in the next frame.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      tell: Sized;
      constructor(tell: Sized) {
        this.tell = tell;
      }
      observe(target: Element) {
        this.tell([{ target }]);
      }
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => void vi.useRealTimers());

const entries = [1, 2, 3].map((id): Entry => {
  const message = makeMessage(id);
  return {
    kind: 'message',
    key: `message-${id}`,
    day: '2026-03-02',
    message,
    first: true,
    signs: true,
  };
});

test('older messages are asked for within 50 px of the top, no sooner', async () => {
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => window.setTimeout(frame, 16));
  const load = vi.fn();
  const view = render(
    <ChakraProvider value={system}>
      <MessageList
        label="Conversa"
        entries={entries}
        handlers={{} as RowHandlers}
        target={null}
        hasOlder
        loadingOlder={false}
        olderFailed={false}
        onLoadOlder={load}
        hasNewer={false}
        loadingNewer={false}
        newerFailed={false}
        onLoadNewer={vi.fn()}
        onNewest={vi.fn()}
        arrivedCount={0}
      />
    </ChakraProvider>,
  );
  const scroller = view.getByRole('log');
  const scrollTo = async (top: number) => {
    scroller.scrollTop = top;
    scroller.dispatchEvent(new Event('scroll'));
    // The next frame looks where the list is, and only its rendering starts the delay.
    await act(() => vi.advanceTimersByTimeAsync(50));
    await act(() => vi.advanceTimersByTimeAsync(500));
  };
  scroller.scrollTop = 400;
  await act(() => vi.advanceTimersByTimeAsync(500));
  await scrollTo(50);
  expect(load).not.toHaveBeenCalled();
  await scrollTo(49);
  expect(load).toHaveBeenCalled();
});

test('a list that opens at a message loads nothing before it has measured its rows', async () => {
  const load = vi.fn();
  render(
    <ChakraProvider value={system}>
      <MessageList
        label="Conversa"
        entries={entries}
        handlers={{} as RowHandlers}
        target={{ key: 'message-2', turn: 1 }}
        hasOlder={false}
        loadingOlder={false}
        olderFailed={false}
        onLoadOlder={load}
        hasNewer
        loadingNewer={false}
        newerFailed={false}
        onLoadNewer={load}
        onNewest={load}
        arrivedCount={0}
      />
    </ChakraProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(290));
  expect(load).not.toHaveBeenCalled();
  // Nothing has a height in jsdom, so the list is at its end.
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(load).toHaveBeenCalled();
});
