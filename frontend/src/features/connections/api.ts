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

/** A call on a connection's session; settled once the list tells how it is then. */
function useSessionCall<Asked extends { id: number }>(
  call: (path: string, asked: Asked) => Promise<unknown>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: Asked) => call(`/whatsappsession/${asked.id}`, asked),
    onSettled: () => client.invalidateQueries({ queryKey: connections.keys.all }),
  });
}

/** Brings a connection up again: a session by what it has, a number by asking its provider. */
export const useStartSession = () => useSessionCall((path) => api.post(path));

/**
 * Asks for a new QR code, forgetting whose phone it was; with `number`, for the code that is typed
 * into that phone instead.
 */
export const useNewCode = () =>
  useSessionCall((path, { number }: { id: number; number?: string }) =>
    api.put(path, number ? { number } : {}),
  );

/** Takes a session down; its phone is logged out. */
export const useDisconnect = () => useSessionCall((path) => api.delete(path));

/** Makes the token with which programs send; it is in this answer alone, and ends the one before. */
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

/** Sends a message that tries a connection; the same input again answers how it stands. */
export const useSendTestMessage = (id: number) =>
  useMutation({
    mutationFn: (input: TestMessageInput) => api.post<TestMessage>(`/whatsapp/${id}/test`, input),
  });

const healthKey = (id: number) => ['connectionHealth', id] as const;
const HEALTH_MS = 15_000;

/** How a number is, as long as somebody looks. */
export const healthQuery = (id: number) =>
  queryOptions({
    queryKey: healthKey(id),
    queryFn: ({ signal }) => api.get<Health>(`/whatsapp/${id}/health`, undefined, signal),
    refetchInterval: HEALTH_MS,
    staleTime: 0,
  });

/** Has the server ask Meta how a number is. */
export function useRefreshHealth(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post<Health>(`/whatsapp/${id}/health`),
    onSuccess: (health) => client.setQueryData(healthKey(id), health),
  });
}

/** Takes the alerts of a number away, once they are read. */
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

/** How many people a number has begun with today, as long as somebody looks. */
export const newContactsQuery = (id: number) =>
  queryOptions({
    queryKey: ['connectionNewContacts', id],
    queryFn: ({ signal }) => api.get<Connection>(`/whatsapp/${id}`, undefined, signal),
    refetchInterval: HEALTH_MS,
    staleTime: 0,
  });

const profileKey = (id: number) => ['connectionProfile', id] as const;

/** What an official number shows of itself, as Meta has it now. */
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

/** Asks a phone once more for what failed or is unclear. */
export function useAskPhone(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (kind: PhoneSync['kind']) => api.post(`/whatsapp/${id}/phone`, { kind }),
    onSuccess: () => client.invalidateQueries({ queryKey: healthKey(id) }),
  });
}

/** What is entered at Meta's, so that it posts what happens to the server. */
export const webhookQuery = () =>
  queryOptions({
    queryKey: ['webhook'],
    queryFn: ({ signal }) => api.get<Webhook>('/whatsapp/webhook', undefined, signal),
  });

/** Looks at one step of a number's set-up; nothing is saved. */
export const checkSetup = (input: SetupInput, signal: AbortSignal) =>
  api.post<SetupCheck>('/whatsapp/check', input, { signal });

/** Whether numbers can be added with Meta's embedded signup, and how its window is opened. */
export const signupQuery = () =>
  queryOptions({
    queryKey: ['signup'],
    queryFn: ({ signal }) => api.get<SignupOffer>('/whatsapp/signup', undefined, signal),
    staleTime: Infinity,
  });

/** Connects the number that Meta's window gave; the same code goes on where it stopped. */
export function useSignUp() {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: (input: SignupInput) => api.post<SignedUp>('/whatsapp/signup', input),
    onSuccess,
  });
}
