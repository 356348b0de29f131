import type { components } from '@/lib/api/schema';
import type { RuleInput } from '../rules/types';

type Schemas = components['schemas'];

export type Rehearsal = Schemas['Rehearsal'];
export type RehearsalDetail = Schemas['RehearsalDetail'];
export type RehearsalReport = Schemas['RehearsalReport'];
export type RehearsalSample = Schemas['RehearsalSample'];
export type RehearsalBot = NonNullable<RehearsalReport['bot']>;
export type RehearsalBotSample = NonNullable<RehearsalSample['bot']>;
export type RehearsalSide = Schemas['RehearsalSide'];
export type RehearsalInput = Schemas['RehearsalInputRequest'];

/** What is tried, without the days: a distribution, times or a rule as they are in a form. */
export type Proposal = Omit<RehearsalInput, 'days' | 'rule'> & { rule?: RuleInput };
