import { useQueryClient } from '@tanstack/react-query';
import { withoutRow, withRow } from '@/lib/api/rows';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { promptKeys } from './api';
import type { Prompt } from './types';

const byName = (left: Prompt, right: Prompt) =>
  left.name.localeCompare(right.name) || left.id - right.id;

/** All prompts after an event; an event older than the cached version is ignored. */
export const foldPrompt = (list: Prompt[], event: LiveEvent<'prompt'>): Prompt[] =>
  event.action === 'delete'
    ? withoutRow(list, event.promptId)
    : withRow(list, event.prompt, byName);

/** Updates the prompts on live events while mounted, and refetches the pages. */
export function usePromptEvents() {
  const client = useQueryClient();
  useCompanyEvent('prompt', (event) => {
    changeQueries<Prompt[]>(client, promptKeys.options, (list) => foldPrompt(list, event));
    void client.invalidateQueries({ queryKey: promptKeys.pages });
  });
  // Rows show the names of queues and connections.
  const refetch = () => void client.invalidateQueries({ queryKey: promptKeys.all });
  useCompanyEvent('queue', refetch);
  useCompanyEvent('whatsapp', refetch);
}
