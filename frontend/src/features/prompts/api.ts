import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { everyRowQuery, pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type {
  Prompt,
  PromptInput,
  PromptsPage,
  PromptTest,
  PromptTestInput,
  PromptUsage,
} from './types';

export const promptKeys = {
  all: ['prompts'] as const,
  options: ['prompts', 'options'] as const,
  pages: ['prompts', 'pages'] as const,
  usage: ['prompts', 'usage'] as const,
};

const prompts = {
  path: '/prompt',
  keys: promptKeys,
  rowsOf: (page: PromptsPage) => page.prompts,
};

/** All of the company's prompts by name, for selectors. */
export const promptsQuery = () => everyRowQuery(prompts);

export const promptPagesQuery = (search: string) => pagesQuery(prompts, search);

/** The cost of the models' answers this month. */
export const promptUsageQuery = () =>
  queryOptions({
    queryKey: promptKeys.usage,
    // It grows with every conversation, without an event.
    staleTime: 0,
    refetchInterval: 60_000,
    queryFn: ({ signal }) => api.get<PromptUsage>('/prompt/usage', undefined, signal),
  });

/** Creates a prompt, or changes the one with `id`. */
export const useSavePrompt = (id?: number) => useSaveRow<Prompt, PromptInput>(prompts, id);

/** Deletes a prompt; its conversations are handed over to people. */
export const useDeletePrompt = () => useDeleteRow(prompts);

/** Asks the model with the unsaved prompt; the server stores only the token count. */
export function useTestPrompt() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PromptTestInput) => api.post<PromptTest>('/prompt/test', body),
    onSettled: () => void client.invalidateQueries({ queryKey: promptKeys.usage }),
  });
}
