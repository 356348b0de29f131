import { api } from '@/lib/api/client';
import type { Ticket } from './api';

/** Gives a ticket exactly these tags; two kanban tags are refused (rules §8). */
export const syncTags = (ticketId: number, tagIds: readonly number[]) =>
  api.post<Ticket>('/tags/sync', { ticketId, tags: tagIds });

/** Moves a ticket into a kanban tag's lane, or with null out of all; its other tags stay. */
export const setLane = (ticketId: number, tagId: number | null) =>
  tagId === null
    ? api.delete<Ticket>(`/ticket-tags/${ticketId}`)
    : api.put<Ticket>(`/ticket-tags/${ticketId}/${tagId}`);
