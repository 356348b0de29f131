import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent, useStatusRoom } from '@/lib/socket';
import { deskKeys } from './keys';
import { foldPresence, foldTeam } from './fold';
import type { Presence, Team } from './types';

/** Changes of tickets within this time are fetched together, the longer the more is fetched. */
const GATHER_MS = 1500;
const GATHER_LARGE_MS = 8000;
const LARGE = 50;

export function gatherMs(team?: Team) {
  if (!team) return GATHER_MS;
  const waiting = team.waiting.reduce((sum, { count }) => sum + count, 0);
  const size = team.members.length + team.forSupervisors.length + waiting;
  return size > LARGE ? GATHER_LARGE_MS : GATHER_MS;
}

export function applyPresence(client: QueryClient, { presence }: LiveEvent<'presence'>) {
  changeQueries<Presence[]>(client, deskKeys.presences, (known) => foldPresence(known, presence));
  changeQueries<Team>(client, deskKeys.team, (team) => foldTeam(team, presence));
}

/** Keeps presences up to date on every page. */
export function usePresenceEvents() {
  const client = useQueryClient();
  useCompanyEvent('presence', (event) => applyPresence(client, event));
}

/** Fetches the team's figures again, soon after tickets or people have changed. */
export function useTeamEvents() {
  const client = useQueryClient();
  const timer = useRef(0);
  const refresh = () => {
    if (timer.current) return;
    timer.current = window.setTimeout(
      () => {
        timer.current = 0;
        void client.invalidateQueries({ queryKey: deskKeys.team });
        void client.invalidateQueries({ queryKey: ['desk', 'held'] });
      },
      gatherMs(client.getQueryData<Team>(deskKeys.team)),
    );
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useStatusRoom('open', refresh);
  useStatusRoom('pending', refresh);
  useCompanyEvent('ticket', refresh);
  useCompanyEvent('appMessage', refresh);
  useCompanyEvent('assignmentAlert', refresh);
  useCompanyEvent('user', refresh);
}
