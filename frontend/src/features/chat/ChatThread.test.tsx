import { ChakraProvider } from '@chakra-ui/react';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ChatThread } from './ChatThread';
import { entriesOf } from './entries';
import { makeMessage } from './testData';

beforeEach(() => {
  vi.useFakeTimers();
  // The test DOM scrolls nothing.
  Element.prototype.scrollTo = vi.fn();
  openSession({ token: 'abc', user: makeUser() });
});
afterEach(() => void vi.useRealTimers());

test('older messages are asked for within 600 px of the top, no sooner', async () => {
  const load = vi.fn();
  render(
    <ChakraProvider value={system}>
      <ChatThread
        label="Conversa"
        entries={entriesOf([makeMessage(1), makeMessage(2)], [], null)}
        showsNames={false}
        hasOlder
        loadingOlder={false}
        olderFailed={false}
        onLoadOlder={load}
      />
    </ChakraProvider>,
  );
  const scroller = screen.getByRole('log');
  const scrollTo = async (top: number) => {
    scroller.scrollTop = top;
    scroller.dispatchEvent(new Event('scroll'));
    // Only the rendering after the event starts the delay.
    await act(() => vi.advanceTimersByTimeAsync(50));
    await act(() => vi.advanceTimersByTimeAsync(500));
  };
  scroller.scrollTop = 900;
  await act(() => vi.advanceTimersByTimeAsync(500));
  await scrollTo(600);
  expect(load).not.toHaveBeenCalled();
  await scrollTo(599);
  expect(load).toHaveBeenCalled();
});
