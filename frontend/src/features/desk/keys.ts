import { presencesQuery } from './presences';

export const deskKeys = {
  presences: presencesQuery().queryKey,
  reasons: ['desk', 'reasons'] as const,
  team: ['desk', 'team'] as const,
  held: (userId: number) => ['desk', 'held', userId] as const,
  hands: (ticketId: number) => ['desk', 'hands', ticketId] as const,
  timeline: (userId: number, date: string) => ['desk', 'timeline', userId, date] as const,
  policy: (queueId: number) => ['desk', 'policy', queueId] as const,
};
