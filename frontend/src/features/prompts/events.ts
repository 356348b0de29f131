import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import { promptKeys, type Prompt } from './api';

export type PromptEvent =
  { action: 'create' | 'update'; prompt: Prompt } | { action: 'delete'; promptId: number };

const byName = (left: Prompt, right: Prompt) =>
  left.name.localeCompare(right.name) || left.id - right.id;

/** All prompts after an event; one older than what is known changes nothing. */
export function foldPrompt(list: readonly Prompt[], event: PromptEvent): Prompt[] {
  const id = event.action === 'delete' ? event.promptId : event.prompt.id;
  const others = list.filter((each) => each.id !== id);
  if (event.action === 'delete') return others;
  const known = list.find((each) => each.id === id);
  if (known && known.updatedAt > event.prompt.updatedAt) return [...list];
  return [...others, event.prompt].sort(byName);
}

/** Keeps the prompts in step with the live events while mounted; the pages are asked for again. */
export function usePromptEvents() {
  const client = useQueryClient();
  useCompanyEvent<PromptEvent>('prompt', (event) => {
    client.setQueryData<Prompt[]>(promptKeys.options, (list) => list && foldPrompt(list, event));
    void client.invalidateQueries({ queryKey: promptKeys.pages });
  });
  // Rows name their queue, and those where they answer.
  const refetch = () => void client.invalidateQueries({ queryKey: promptKeys.all });
  useCompanyEvent('queue', refetch);
  useCompanyEvent('whatsapp', refetch);
}
