import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Dashboard = Schemas['Dashboard'];
export type Counters = Schemas['DashboardCounters'];
export type Attendant = Schemas['Attendant'];
export type Hour = Schemas['DashboardHour'];
export type Breakdown = Schemas['DashboardBreakdown'];
export type Group = Schemas['DashboardGroup'];
export type RateCount = Schemas['RateCount'];
