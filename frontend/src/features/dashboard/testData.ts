import type { Breakdown, Dashboard, Group } from './types';

const HOURS = [...Array.from({ length: 23 }, (_, index) => index + 1), 0];

export const makeDashboard = (change: Partial<Dashboard> = {}): Dashboard => ({
  counters: {
    supportPending: 14,
    supportHappening: 12,
    supportFinished: 1284,
    leads: 236,
    avgSupportTime: 23.4,
    avgWaitTime: 6.2,
  },
  attendants: [
    { id: 1, name: 'Ana Prado', avgSupportTime: 18, tickets: 40, rating: 2.67, online: true },
    { id: 2, name: 'Bruno', avgSupportTime: 0, tickets: 0, rating: 0, online: false },
  ],
  hours: HOURS.map((hour) => ({
    time: `${String(hour).padStart(2, '0')}:00`,
    amount: hour === 11 ? 22 : hour === 10 ? 1 : 0,
  })),
  ...change,
});

const figures = {
  tickets: 30,
  finished: 28,
  avgSupportTime: 20,
  avgWaitTime: 5,
  avgFirstResponseTime: 7.5,
};

export const makeTags = (): Group[] => [{ id: 1, name: 'Urgente', color: '#C2487F', ...figures }];

export const makeBreakdown = (): Breakdown => ({
  queues: [
    { id: 1, name: 'Vendas', color: '#3E7BD6', ...figures, waiting: 3 },
    { id: null, name: '', color: '', ...figures, tickets: 2, waiting: 0 },
  ],
  connections: [{ id: 1, name: 'Loja', color: '', ...figures }],
  firstResponse: { count: 28, average: 7.5 },
  ratings: [
    { rate: 1, count: 2 },
    { rate: 2, count: 8 },
    { rate: 3, count: 10 },
  ],
  waiting: {
    count: 3,
    oldest: {
      uuid: '3f2a0000-0000-4000-8000-000000000000',
      contactName: 'Carla Dias',
      queueId: 1,
      since: '2026-05-01T12:00:00Z',
    },
  },
});
