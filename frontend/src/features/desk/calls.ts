import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Ticket } from '@/features/tickets/api';
import { api } from '@/lib/api/client';
import { changeQueries } from '@/lib/queryClient';
import { foldPresence, foldTeam } from './fold';
import { deskKeys } from './keys';
import type {
  AssignmentPolicy,
  ChangeOfHands,
  HeldTicket,
  Move,
  PauseReason,
  PolicyInput,
  Presence,
  PresenceChoice,
  PresencePeriod,
  SeatInput,
  Team,
  TeamMember,
} from './types';

export const reasonsQuery = () =>
  queryOptions({
    queryKey: deskKeys.reasons,
    queryFn: ({ signal }) => api.get<PauseReason[]>('/pause-reasons', undefined, signal),
  });

export const teamQuery = () =>
  queryOptions({
    queryKey: deskKeys.team,
    queryFn: ({ signal }) => api.get<Team>('/team', undefined, signal),
  });

/** What a person holds, the longest unanswered first. */
export const heldQuery = (userId: number) =>
  queryOptions({
    queryKey: deskKeys.held(userId),
    queryFn: ({ signal }) => api.get<HeldTicket[]>(`/team/${userId}/tickets`, undefined, signal),
  });

/** Who had a ticket and why, in order; fetched again for each dialog. */
export const handsQuery = (ticketId: number) =>
  queryOptions({
    queryKey: deskKeys.hands(ticketId),
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      api.get<ChangeOfHands[]>(`/tickets/${ticketId}/assignments`, undefined, signal),
  });

/** A person's presence on a day, 'YYYY-MM-DD'. */
export const timelineQuery = (userId: number, date: string) =>
  queryOptions({
    queryKey: deskKeys.timeline(userId, date),
    staleTime: 0,
    queryFn: ({ signal }) =>
      api.get<PresencePeriod[]>('/presence/timeline', { userId, date }, signal),
  });

/** A queue's rules; fetched again for each dialog. */
export const policyQuery = (queueId: number) =>
  queryOptions({
    queryKey: deskKeys.policy(queueId),
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      api.get<AssignmentPolicy>(`/queue/${queueId}/assignment`, undefined, signal),
  });

/** Chooses how somebody is present: the caller, or as a supervisor the person `userId`. */
export function useChoosePresence() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, ...choice }: PresenceChoice & { userId?: number }) =>
      api.put<Presence>(`/presence/${userId ?? 'me'}`, choice),
    onSuccess: (presence) => {
      changeQueries<Presence[]>(client, deskKeys.presences, (known) =>
        foldPresence(known, presence),
      );
      changeQueries<Team>(client, deskKeys.team, (team) => foldTeam(team, presence));
    },
  });
}

export function useSavePolicy(queueId: number) {
  return useMutation({
    mutationFn: (policy: PolicyInput) =>
      api.put<AssignmentPolicy>(`/queue/${queueId}/assignment`, policy),
  });
}

export function useSaveSeat(userId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (seat: SeatInput) => api.put<TeamMember>(`/team/${userId}`, seat),
    onSuccess: (member) =>
      changeQueries<Team>(client, deskKeys.team, (team) => ({
        ...team,
        members: team.members.map((each) => (each.id === member.id ? member : each)),
      })),
  });
}

/** Gives a ticket to another person, or back to its queue. */
export function useMoveTicket() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => api.post<Ticket>('/team/moves', move),
    // Also after a refusal: somebody else may have moved it.
    onSettled: (_, __, { fromUserId, toUserId }) => {
      void client.invalidateQueries({ queryKey: deskKeys.team });
      for (const userId of [fromUserId, toUserId])
        if (userId !== null) void client.invalidateQueries({ queryKey: deskKeys.held(userId) });
    },
  });
}

/** Creates a reason to pause, or changes the one with `id`. */
export function useSaveReason() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...reason }: { id?: number; name: string; minutes: number }) =>
      id === undefined
        ? api.post<PauseReason>('/pause-reasons', reason)
        : api.put<PauseReason>(`/pause-reasons/${id}`, reason),
    onSettled: () => void client.invalidateQueries({ queryKey: deskKeys.reasons }),
  });
}

export function useDeleteReason() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/pause-reasons/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: deskKeys.reasons }),
  });
}
