import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { useSession } from '@/stores/session';
import type { Presence } from './types';

/**
 * Whether the company distributes tickets; only then there is presence (rules/desk §1). From the
 * session, which follows the settings: companies without distribution fetch nothing for it.
 */
export const useDistributes = () =>
  useSession(
    ({ user }) =>
      user?.company.settings.some(
        ({ key, value }) => key === 'assignment' && value === 'enabled',
      ) ?? false,
  );

export const presencesQuery = () =>
  queryOptions({
    queryKey: ['desk', 'presences'] as const,
    queryFn: ({ signal }) => api.get<Presence[]>('/presence', undefined, signal),
  });

/** The presences by user; null in a company that distributes nothing, and while they load. */
export function usePresences(): ReadonlyMap<number, Presence> | null {
  const isOn = useDistributes();
  const { data } = useQuery({
    ...presencesQuery(),
    enabled: isOn,
    select: (presences) => new Map(presences.map((each) => [each.userId, each])),
  });
  return isOn ? (data ?? null) : null;
}
