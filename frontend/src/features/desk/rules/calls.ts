import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { newClientId } from '@/lib/clientId';
import { changeQueries } from '@/lib/queryClient';
import { foldMacro, foldRule, without } from './fold';
import { ruleKeys } from './keys';
import type { Macro, MacroInput, Rule, RuleInput, RuleRun, RuleRunsPage } from './types';

export const rulesQuery = () =>
  queryOptions({
    queryKey: ruleKeys.rules,
    queryFn: ({ signal }) => api.get<Rule[]>('/rules', undefined, signal),
  });

/** What rules and macros have done, or one rule, the latest first. */
export const runsQuery = (ruleId: number | null) =>
  infiniteQueryOptions({
    queryKey: ruleKeys.runs(ruleId),
    queryFn: ({ pageParam, signal }) =>
      api.get<RuleRunsPage>(
        '/rules/runs',
        {
          ...(ruleId !== null && { ruleId: String(ruleId) }),
          ...(pageParam && { beforeId: String(pageParam) }),
        },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ runs, hasMore }: RuleRunsPage) => (hasMore ? runs.at(-1)?.id : undefined),
  });

export const macrosQuery = () =>
  queryOptions({
    queryKey: ruleKeys.macros,
    queryFn: ({ signal }) => api.get<Macro[]>('/macros', undefined, signal),
  });

/** Creates a rule, or replaces that of an id. */
export function useSaveRule(id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: RuleInput) =>
      id === null ? api.post<Rule>('/rules', input) : api.put<Rule>(`/rules/${id}`, input),
    onSuccess: (rule) =>
      changeQueries<Rule[]>(client, ruleKeys.rules, (known) => foldRule(known, rule)),
  });
}

export function useSwitchRule() {
  const client = useQueryClient();
  return useMutation({
    // One after another: the last choice holds.
    scope: { id: 'rule switches' },
    mutationFn: ({ id, isOn }: { id: number; isOn: boolean }) =>
      api.put<Rule>(`/rules/${id}/switch`, { isOn }),
    onSuccess: (rule) =>
      changeQueries<Rule[]>(client, ruleKeys.rules, (known) => foldRule(known, rule)),
  });
}

export function useOrderRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: number[]) => api.put<Rule[]>('/rules/order', { ids }),
    onSuccess: (rules) => client.setQueryData(ruleKeys.rules, rules),
    onError: () => client.invalidateQueries({ queryKey: ruleKeys.rules }),
  });
}

export function useDeleteRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/rules/${id}`),
    onSuccess: (_, id) =>
      changeQueries<Rule[]>(client, ruleKeys.rules, (known) => without(known, id)),
  });
}

export function useSaveMacro(id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: MacroInput) =>
      id === null ? api.post<Macro>('/macros', input) : api.put<Macro>(`/macros/${id}`, input),
    onSuccess: (macro) =>
      changeQueries<Macro[]>(client, ruleKeys.macros, (known) => foldMacro(known, macro)),
  });
}

export function useDeleteMacro() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/macros/${id}`),
    onSuccess: (_, id) =>
      changeQueries<Macro[]>(client, ruleKeys.macros, (known) => without(known, id)),
  });
}

interface MacroRun {
  ticketId: number;
  macroId: number;
}

/** How long a second try is the same run: later the user means another one. */
const SAME_RUN_MS = 60_000;
/** The client ids of runs without an answer, and when they began, by ticket and macro. */
const lost = new Map<string, { clientId: string; at: number }>();

/**
 * Runs a macro in a ticket; from then on it need not be shown before. After a call whose answer was
 * lost, the next one for the same ticket and macro runs it only if that did not.
 */
export function useRunMacro() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ ticketId, macroId }: MacroRun) => {
      const key = `${ticketId}/${macroId}`;
      const former = lost.get(key);
      const at = Date.now();
      const run = former && at - former.at < SAME_RUN_MS ? former : { clientId: newClientId(), at };
      lost.set(key, run);
      const { clientId } = run;
      try {
        const done = await api.post<RuleRun>(`/tickets/${ticketId}/macros`, { macroId, clientId });
        lost.delete(key);
        return done;
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0;
        // The server has refused it, so it was not run.
        if (status >= 400 && status < 500) lost.delete(key);
        throw error;
      }
    },
    onSuccess: (_, { macroId }) =>
      changeQueries<Macro[]>(client, ruleKeys.macros, (known) =>
        known.map((each) => (each.id === macroId ? { ...each, isKnown: true } : each)),
      ),
  });
}

export const useUndoMacro = () =>
  useMutation({ mutationFn: (runId: number) => api.post<RuleRun>(`/macros/runs/${runId}/undo`) });
