import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { ListEnd, loadNext, type Pages } from './ListEnd';

function open(pages: Pages) {
  return render(
    <ChakraProvider value={system}>
      <ListEnd pages={pages} />
    </ChakraProvider>,
  );
}

test('a page that did not come is told of, and asked for again by hand alone', async () => {
  const fetchNextPage = vi.fn(() => Promise.resolve());
  const pages = { hasNextPage: true, isFetchNextPageError: true, fetchNextPage };
  loadNext(pages);
  expect(fetchNextPage).not.toHaveBeenCalled();
  open(pages);
  expect(screen.getByRole('alert').textContent).toContain('Não foi possível carregar');
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(fetchNextPage).toHaveBeenCalledOnce();
});

test('while it is asked for once more the failure is over', () => {
  open({ hasNextPage: true, isFetchNextPageError: true, isFetchingNextPage: true });
  expect(screen.queryByRole('alert')).toBeNull();
  screen.getByRole('status', { name: 'Carregando mais…' });
});

test('the next page is asked for once, and not for rows of the search before', () => {
  const fetchNextPage = vi.fn(() => Promise.resolve());
  loadNext({ hasNextPage: true, isFetchingNextPage: true, fetchNextPage });
  loadNext({ hasNextPage: true, isPlaceholderData: true, fetchNextPage });
  loadNext({ hasNextPage: false, fetchNextPage });
  expect(fetchNextPage).not.toHaveBeenCalled();
  loadNext({ hasNextPage: true, fetchNextPage });
  expect(fetchNextPage).toHaveBeenCalledOnce();
});

test('the next page is asked for within 100 px of the end', () => {
  const watched: Element[] = [];
  let tell: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(heard: typeof tell) {
        tell = heard;
      }
      observe(element: Element) {
        watched.push(element);
      }
      disconnect() {}
    },
  );
  const fetchNextPage = vi.fn(() => Promise.resolve());
  open({ hasNextPage: true, fetchNextPage });
  const [mark] = watched as HTMLElement[];
  // It reaches so far above the end.
  expect(mark?.style.height).toBe('100px');
  expect(fetchNextPage).not.toHaveBeenCalled();
  tell([{ isIntersecting: true }]);
  expect(fetchNextPage).toHaveBeenCalledOnce();
});
