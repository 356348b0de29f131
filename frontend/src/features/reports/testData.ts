import type { ActivityReport, Conversation, ConversationReport, ReportFigures } from './types';

const DAYS = { dateFrom: '2026-06-01', dateTo: '2026-06-30' };

export const makeFigures = (fields: Partial<ReportFigures> = {}): ReportFigures => ({
  ...DAYS,
  conversations: 1284,
  waiting: 3,
  open: 12,
  resolved: 1269,
  waitSeconds: 95,
  firstAnswerSeconds: 372,
  attendanceSeconds: 4800,
  resolutionSeconds: 97_200,
  unanswered: 40,
  rating: 2.67,
  ratings: [
    { rating: 1, count: 10 },
    { rating: 2, count: 30 },
    { rating: 3, count: 90 },
  ],
  bands: (['1m', '5m', '15m', '1h', '4h', '24h', 'more', 'never'] as const).map((band, place) => ({
    band,
    count: 100 - place,
  })),
  times: [
    { weekday: 1, hour: 9, count: 40 },
    { weekday: 1, hour: 14, count: 1 },
    { weekday: 3, hour: 9, count: 8 },
  ],
  reasons: [
    { reason: 'Venda', count: 700 },
    { reason: '', count: 569 },
  ],
  ...fields,
});

export const makeConversation = (fields: Partial<Conversation> = {}): Conversation => ({
  id: 7,
  ticketId: 5,
  uuid: '0b9c1a52-0000-4000-8000-000000000005',
  protocol: '20260610000005',
  state: 'resolved',
  contactId: 2,
  contactName: 'Maria Silva',
  number: '5511984321100',
  connectionId: 1,
  connectionName: 'Loja',
  queueId: 4,
  queueName: 'Vendas',
  userId: 9,
  userName: 'Ana Prado',
  tags: ['vip'],
  reason: 'Venda',
  queuedAt: '2026-06-10T12:00:00Z',
  startedAt: '2026-06-10T12:05:00Z',
  firstAnswerAt: '2026-06-10T12:06:00Z',
  finishedAt: '2026-06-10T12:30:00Z',
  waitSeconds: 300,
  firstAnswerSeconds: 360,
  attendanceSeconds: 1500,
  resolutionSeconds: 1800,
  received: 4,
  answers: 6,
  firstMessageAt: '2026-06-10T12:00:00Z',
  lastMessageAt: '2026-06-10T12:29:00Z',
  ratingAskedAt: null,
  rating: null,
  costs: [{ currency: 'BRL', amount: '0.35' }],
  ...fields,
});

export const makePage = (
  conversations: Conversation[],
  fields: Partial<ConversationReport> = {},
): ConversationReport => ({
  ...DAYS,
  conversations,
  count: conversations.length,
  next: null,
  ...fields,
});

export const makeActivity = (): ActivityReport => ({
  ...DAYS,
  next: null,
  days: [
    {
      date: '2026-06-10',
      userId: 9,
      userName: 'Ana Prado',
      onlineSeconds: 28_800,
      pausedSeconds: 3900,
      pauses: [
        { reason: 'Almoço', seconds: 3600 },
        { reason: '', seconds: 300 },
      ],
      offlineSeconds: 0,
      firstAt: '2026-06-10T12:00:00Z',
      lastAt: '2026-06-10T21:00:00Z',
      messages: 120,
      acts: 33,
    },
  ],
});
