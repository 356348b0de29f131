import { useQuery } from '@tanstack/react-query';
import { userOptionsQuery } from '@/features/users/api';
import { useCompanyEvent } from '@/lib/socket';
import type { Chat } from './types';

/** No event reports that a user went offline, so the list is fetched at this interval. */
const PRESENCE_MS = 120_000;

/** The ids of the company's users who are online. */
export function useOnline(): ReadonlySet<number> {
  const { data, refetch } = useQuery({ ...userOptionsQuery(), refetchInterval: PRESENCE_MS });
  useCompanyEvent('user', () => void refetch());
  return new Set(data?.flatMap(({ id, online }) => (online ? [id] : [])));
}

/** The members except the user. */
export const othersOf = (chat: Chat, userId: number) =>
  chat.users.filter((member) => member.userId !== userId);
