import { useQuery } from '@tanstack/react-query';
import { userOptionsQuery } from '@/features/users/api';
import { useCompanyEvent } from '@/lib/socket';
import type { Chat } from './types';

/** Nobody tells of a sign of life that stops. */
const PRESENCE_MS = 120_000;

/** Who of the company is online now. */
export function useOnline(): ReadonlySet<number> {
  const { data, refetch } = useQuery({ ...userOptionsQuery(), refetchInterval: PRESENCE_MS });
  useCompanyEvent('user', () => void refetch());
  return new Set(data?.flatMap(({ id, online }) => (online ? [id] : [])));
}

/** The members beside oneself. */
export const othersOf = (chat: Chat, userId: number) =>
  chat.users.filter((member) => member.userId !== userId);
