import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { components } from '@/lib/api/schema';
import type { Profile, ProfileInput } from './profile';
import type { TestMessage, TestMessageInput } from './testMessage';
import type {
  Connection,
  ConnectionInput,
  Health,
  PhoneSync,
  SetupCheck,
  SetupInput,
  SignedUp,
  SignupInput,
  SignupOffer,
  Webhook,
} from './types';

export type * from './types';

type Schemas = components['schemas'];

const connections = { path: '/whatsapp', keys: { all: ['connections'] } };

/** The company's connections, without their sessions. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: connections.keys.all,
    queryFn: ({ signal }) => api.get<Connection[]>('/whatsapp/', { session: 0 }, signal),
  });

/** Creates a connection, or changes the one with `id`. */
export const useSaveConnection = (id?: number) =>
  useSaveRow<Connection, ConnectionInput>(connections, id);

export const useDeleteConnection = () => useDeleteRow(connections);

function useRefetch() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: connections.keys.all });
}

/** A call on a connection's session; ends after the list has its new state. */
function useSessionCall<Asked extends { id: number }>(
  call: (path: string, asked: Asked) => Promise<unknown>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: Asked) => call(`/whatsappsession/${asked.id}`, asked),
    onSettled: () => client.invalidateQueries({ queryKey: connections.keys.all }),
  });
}

/**
 * Starts a connection again: a session with its credentials, an official number by a request to its
 * provider.
 */
export const useStartSession = () => useSessionCall((path) => api.post(path));

/**
 * Requests a new QR code and forgets the linked phone; with `number`, requests a code that is typed
 * into that phone instead.
 */
export const useNewCode = () =>
  useSessionCall((path, { number }: { id: number; number?: string }) =>
    api.put(path, number ? { number } : {}),
  );

/** Ends a session and logs its phone out. */
export const useDisconnect = () => useSessionCall((path) => api.delete(path));

/** Creates the API token; only this answer contains it, and the previous token becomes invalid. */
export function useIssueToken(id: number) {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: () => api.post<Schemas['ConnectionToken']>(`/whatsapp/${id}/token`),
    onSuccess,
  });
}

export function useRevokeToken(id: number) {
  const onSuccess = useRefetch();
  return useMutation({ mutationFn: () => api.delete(`/whatsapp/${id}/token`), onSuccess });
}

/** Sends a test message; the same input again returns its current status. */
export const useSendTestMessage = (id: number) =>
  useMutation({
    mutationFn: (input: TestMessageInput) => api.post<TestMessage>(`/whatsapp/${id}/test`, input),
  });

const healthKey = (id: number) => ['connectionHealth', id] as const;
const HEALTH_MS = 15_000;

/** The health of a number, refetched while it is shown. */
export const healthQuery = (id: number) =>
  queryOptions({
    queryKey: healthKey(id),
    queryFn: ({ signal }) => api.get<Health>(`/whatsapp/${id}/health`, undefined, signal),
    refetchInterval: HEALTH_MS,
    staleTime: 0,
  });

/** Makes the server fetch a number's state from Meta. */
export function useRefreshHealth(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post<Health>(`/whatsapp/${id}/health`),
    onSuccess: (health) => client.setQueryData(healthKey(id), health),
  });
}

/** Dismisses the alerts of a number. */
export function useDismissAlerts(id: number) {
  const client = useQueryClient();
  const refetch = useRefetch();
  return useMutation({
    mutationFn: () => api.delete(`/whatsapp/${id}/alerts`),
    onSuccess: () => {
      refetch();
      return client.invalidateQueries({ queryKey: healthKey(id) });
    },
  });
}

/** The number of conversations that a number has started today, refetched while it is shown. */
export const newContactsQuery = (id: number) =>
  queryOptions({
    queryKey: ['connectionNewContacts', id],
    queryFn: ({ signal }) => api.get<Connection>(`/whatsapp/${id}`, undefined, signal),
    refetchInterval: HEALTH_MS,
    staleTime: 0,
  });

const profileKey = (id: number) => ['connectionProfile', id] as const;

/** The profile of an official number, as currently stored at Meta. */
export const profileQuery = (id: number) =>
  queryOptions({
    queryKey: profileKey(id),
    queryFn: ({ signal }) => api.get<Profile>(`/whatsapp/${id}/profile`, undefined, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export function useSaveProfile(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: ProfileInput) => api.put(`/whatsapp/${id}/profile`, input),
    onSuccess: () => void client.invalidateQueries({ queryKey: profileKey(id) }),
  });
}

/** Requests again from a phone what failed or is unclear. */
export function useAskPhone(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (kind: PhoneSync['kind']) => api.post(`/whatsapp/${id}/phone`, { kind }),
    onSuccess: () => client.invalidateQueries({ queryKey: healthKey(id) }),
  });
}

/** The webhook values to enter at Meta. */
export const webhookQuery = () =>
  queryOptions({
    queryKey: ['webhook'],
    queryFn: ({ signal }) => api.get<Webhook>('/whatsapp/webhook', undefined, signal),
  });

/** Checks one step of a number's set-up; nothing is saved. */
export const checkSetup = (input: SetupInput, signal: AbortSignal) =>
  api.post<SetupCheck>('/whatsapp/check', input, { signal });

/** Whether numbers can be added with Meta's embedded signup, and its parameters. */
export const signupQuery = () =>
  queryOptions({
    queryKey: ['signup'],
    queryFn: ({ signal }) => api.get<SignupOffer>('/whatsapp/signup', undefined, signal),
    staleTime: Infinity,
  });

/** Connects the number from Meta's window; the same code continues where it stopped. */
export function useSignUp() {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: (input: SignupInput) => api.post<SignedUp>('/whatsapp/signup', input),
    onSuccess,
  });
}
