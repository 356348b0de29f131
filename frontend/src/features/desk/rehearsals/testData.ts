import type { Rehearsal, RehearsalBot, RehearsalReport, RehearsalSide } from './types';

export const REHEARSAL: Rehearsal = {
  id: 7,
  subject: 'assignment',
  targetId: 4,
  days: 7,
  since: '2026-11-01T12:00:00Z',
  until: '2026-11-08T12:00:00Z',
  state: 'done',
  ticketsDone: 1000,
  ticketsTotal: 1000,
  userName: 'Ana',
  errorCode: '',
  createdAt: '2026-11-08T12:00:00Z',
  finishedAt: '2026-11-08T12:00:20Z',
  expiresAt: '2026-11-22T12:00:20Z',
};

export const SIDE: RehearsalSide = {
  held: 900,
  answered: 880,
  returned: 0,
  forSupervisors: null,
  waits: { count: 900, median: 1800, p90: 3600 },
  answers: { count: 880, median: 1980, p90: 4000 },
  met: 0,
  missed: 0,
};

export const REPORT: RehearsalReport = {
  tickets: 1000,
  matched: 900,
  changed: 850,
  runs: { before: 0, after: 0, refused: 0 },
  before: SIDE,
  after: {
    ...SIDE,
    returned: 12,
    forSupervisors: 2,
    waits: { count: 900, median: 0, p90: 30 },
    answers: { count: 880, median: 180, p90: 600 },
  },
  people: [
    { userId: 2, name: 'Bia', before: 100, after: 450 },
    { userId: 1, name: null, before: 800, after: 450 },
  ],
  kinds: [],
  deeds: [],
  samples: [],
  bot: null,
  estimatedPeople: 2,
  isCut: false,
};

const BOT_SIDE: RehearsalBot['before'] = {
  began: 900,
  people: 700,
  inBot: 190,
  stopped: 40,
  undecided: { integration: 10, prompt: 0, unseen: 0, elsewhere: 0 },
  steps: 3,
};

export const BOT: RehearsalBot = {
  before: BOT_SIDE,
  after: {
    ...BOT_SIDE,
    people: 650,
    inBot: 120,
    stopped: 5,
    undecided: { ...BOT_SIDE.undecided, unseen: 120 },
    steps: 2,
  },
  queues: [
    { queueId: 4, queueName: 'Vendas', before: 600, after: 640 },
    { queueId: null, queueName: null, before: 100, after: 10 },
  ],
  nodes: [
    {
      queueId: 4,
      queueName: 'Vendas',
      path: '',
      stoppedBefore: 40,
      stoppedAfter: 5,
      unseen: 0,
    },
    {
      queueId: 4,
      queueName: 'Vendas',
      path: 'Preços › Atacado',
      stoppedBefore: 0,
      stoppedAfter: 0,
      unseen: 120,
    },
  ],
};
