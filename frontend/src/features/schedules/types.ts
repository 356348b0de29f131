import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Schedule = Schemas['ScheduledMessage'];
export type ScheduleStatus = Schedule['status'];
export type SchedulePage = Schemas['ScheduledMessagePage'];
export type SchedulePages = InfiniteData<SchedulePage, number>;
export type ScheduleInput = Schemas['ScheduledMessageInputRequest'];

export interface ListFilters {
  search: string;
  status: ScheduleStatus | '';
}

/** `start` is included, `end` is not; both in ISO 8601. */
export interface RangeFilters extends ListFilters {
  start: string;
  end: string;
}
