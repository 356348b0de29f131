import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { changeQueries } from './queryClient';

/** A query whose answers the test supplies, one after another. */
function slowQuery(client: QueryClient) {
  const answers: ((value: string[]) => void)[] = [];
  const queryFn = vi.fn(() => new Promise<string[]>((resolve) => answers.push(resolve)));
  const observer = new QueryObserver<string[]>(client, { queryKey: ['list'], queryFn });
  const stop = observer.subscribe(() => undefined);
  const answer = async (index: number, value: string[]) => {
    await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(index + 1));
    answers[index]?.(value);
  };
  return { answer, queryFn, stop };
}

const add = (client: QueryClient) =>
  changeQueries<string[]>(client, ['list'], (list) => [...list, 'news']);

test('what is cached is changed without a fetch', async () => {
  const client = new QueryClient();
  const { answer, queryFn, stop } = slowQuery(client);
  await answer(0, ['old']);
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toEqual(['old']));
  add(client);
  expect(client.getQueryData(['list'])).toEqual(['old', 'news']);
  expect(queryFn).toHaveBeenCalledTimes(1);
  stop();
});

test('a first fetch that the change overtook is made again', async () => {
  const client = new QueryClient();
  const { answer, stop } = slowQuery(client);
  add(client);
  add(client);
  await answer(0, ['old']);
  await answer(1, ['old', 'news']);
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toEqual(['old', 'news']));
  stop();
});

test('a refetch that the change overtook is made again', async () => {
  const client = new QueryClient();
  const { answer, stop } = slowQuery(client);
  await answer(0, ['old']);
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toEqual(['old']));
  void client.invalidateQueries({ queryKey: ['list'] });
  add(client);
  await answer(1, ['old']);
  await answer(2, ['old', 'news']);
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toEqual(['old', 'news']));
  stop();
});
