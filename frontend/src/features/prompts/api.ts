import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Prompt = Schemas['Prompt'];
export type PromptInput = Schemas['PromptInputRequest'];
export type PromptUsage = Schemas['PromptUsage'];
export type PromptTrialInput = Schemas['PromptTestInputRequest'];
export type PromptTrial = Schemas['PromptTest'];
export type PromptsPage = Schemas['PromptPage'];
export type PromptPages = InfiniteData<PromptsPage>;

const PAGE_SIZE = 20;

export const promptKeys = {
  all: ['prompts'] as const,
  options: ['prompts', 'options'] as const,
  pages: ['prompts', 'pages'] as const,
  search: (text: string) => ['prompts', 'pages', text] as const,
  usage: ['prompts', 'usage'] as const,
};

const fetchPage = (searchParam: string, pageNumber: number, signal: AbortSignal) =>
  api.get<PromptsPage>('/prompt/', { searchParam, pageNumber }, signal);

/** All of the company's prompts by name, for selectors. */
export const promptsQuery = () =>
  queryOptions({
    queryKey: promptKeys.options,
    queryFn: async ({ signal }) => {
      const rows: Prompt[] = [];
      for (let pageNumber = 1, more = true; more; pageNumber += 1) {
        const page = await fetchPage('', pageNumber, signal);
        rows.push(...page.prompts);
        more = page.hasMore;
      }
      return rows;
    },
  });

/** The prompts page: 20 at a time. */
export const promptPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: promptKeys.search(search.trim()),
    queryFn: ({ pageParam, signal }) => fetchPage(search.trim(), pageParam, signal),
    initialPageParam: 1,
    // From what is loaded, not from the number of pages: rows that left would be skipped.
    getNextPageParam: (last: PromptsPage, pages: PromptsPage[]) =>
      last.hasMore
        ? Math.floor(promptsOf({ pages, pageParams: [] }).length / PAGE_SIZE) + 1
        : undefined,
  });

/** What the models' answers of this month cost. */
export const promptUsageQuery = () =>
  queryOptions({
    queryKey: promptKeys.usage,
    // It grows with every conversation, of which this page hears nothing.
    staleTime: 0,
    refetchInterval: 60_000,
    queryFn: ({ signal }) => api.get<PromptUsage>('/prompt/usage', undefined, signal),
  });

/** Each prompt once: pages overlap while rows come and go. */
export function promptsOf({ pages }: PromptPages): Prompt[] {
  const rows = new Map<number, Prompt>();
  for (const page of pages)
    for (const row of page.prompts) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

function useRefetch() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: promptKeys.all });
}

/** Creates a prompt, or changes the one with `id`. */
export function useSavePrompt(id?: number) {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: (body: PromptInput) =>
      id === undefined ? api.post<Prompt>('/prompt', body) : api.put<Prompt>(`/prompt/${id}`, body),
    onSuccess,
  });
}

/** Deletes a prompt; the conversations that it leads go on to people. */
export function useDeletePrompt() {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/prompt/${id}`),
    onSuccess,
  });
}

/** Asks the model as the draft would; only the tokens are kept. */
export function useTryPrompt() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PromptTrialInput) => api.post<PromptTrial>('/prompt/test', body),
    onSettled: () => void client.invalidateQueries({ queryKey: promptKeys.usage }),
  });
}
