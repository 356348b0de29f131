import { makeUser } from '@/test/user';
import type { PolicyInput, TeamMember } from './types';

export const POLICY: PolicyInput = {
  mode: 'round_robin',
  order: 'longest_waiting',
  sticky: 'off',
  stickyDays: 30,
  stickyWaitMinutes: 0,
  returnMinutes: 5,
  returnTo: 'next',
  maxReturns: 3,
  offlineAction: 'keep',
  graceMinutes: 5,
  fairLimit: 100,
  fairWindowMinutes: 60,
  releaseMinutes: 10,
  manualAccept: true,
};

/** The signed-in user of a company that distributes, or does not. */
export function makeSupervisor(isOn = true) {
  const user = makeUser();
  const settings = [{ key: 'assignment', value: isOn ? 'enabled' : 'disabled' }];
  return { ...user, company: { ...user.company, settings } };
}

/** A person of the team who is online and works in queue 4. */
export function makeMember(changes: Partial<TeamMember> = {}): TeamMember {
  const id = changes.id ?? 1;
  return {
    id,
    name: 'Ana Prado',
    profile: 'user',
    seesAll: false,
    presence: {
      userId: id,
      presence: 'online',
      reason: '',
      since: '2026-03-04T12:00:00Z',
      until: null,
      away: false,
    },
    connected: true,
    withinHours: true,
    queues: [{ id: 4, name: 'Vendas', color: '#3E7BD6' }],
    capacity: 5,
    load: 2,
    whatsappWeight: 1,
    callWeight: 3,
    schedules: [],
    skillIds: [],
    unansweredSince: null,
    givenToday: 3,
    resolvedToday: 1,
    returnedToday: 0,
    ...changes,
  };
}
