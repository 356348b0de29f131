import type { components } from '@/lib/api/schema';
import type { ScheduleRow } from '@/lib/hours';

type Schemas = components['schemas'];

export type Presence = Schemas['Presence'];
export type PresenceName = Presence['presence'];
export type PresencePeriod = Schemas['PresencePeriod'];
export type PauseReason = Schemas['PauseReason'];
export type AssignmentPolicy = Schemas['AssignmentPolicy'];
export type Team = Schemas['Team'];
export type TeamMember = Schemas['TeamMember'];
export type HeldTicket = Schemas['HeldTicket'];
export type ChangeOfHands = Schemas['AssignmentLog'];

/** What a person chooses; a pause has its minutes, and a reason where the company has any. */
export interface PresenceChoice {
  presence: PresenceName;
  reasonId?: number | null;
  minutes?: number;
}

export type PolicyInput = Omit<AssignmentPolicy, 'queueId'>;

export interface SeatInput extends Pick<
  TeamMember,
  'capacity' | 'whatsappWeight' | 'callWeight' | 'skillIds'
> {
  schedules: ScheduleRow[];
}

/** A ticket on its way from one person to another; null is its queue. */
export interface Move {
  ticketId: number;
  fromUserId: number | null;
  toUserId: number | null;
  note?: string;
}
