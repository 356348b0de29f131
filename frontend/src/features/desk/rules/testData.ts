import type { Macro, Rule } from './types';

/** A rule about who waits, in a queue that has a name. */
export const RULE: Rule = {
  id: 7,
  name: '',
  isOn: true,
  position: 1,
  trigger: { when: 'we_silent', minutes: 10, inHours: true },
  condition: {
    all: [
      { field: 'queue', operator: 'is', values: [4] },
      { not: { field: 'priority', operator: 'is', values: ['low'] } },
      {
        any: [
          { field: 'message', operator: 'contains', values: ['boleto', 'fatura'] },
          { field: 'hour', operator: 'between', values: [1080, 480] },
        ],
      },
    ],
  },
  actions: [
    { do: 'tell', tells: 'supervisors' },
    { do: 'add_tag', id: 9 },
    { do: 'snooze', minutes: 60 },
  ],
  problem: '',
  startsItself: false,
  names: [
    { kind: 'queue', id: 4, name: 'Vendas' },
    { kind: 'tag', id: 9, name: 'VIP' },
  ],
  runCount: 3,
  lastRunAt: '2026-11-30T13:00:00Z',
};

export const MACRO: Macro = {
  id: 5,
  name: 'Segunda via',
  shortcut: 'b',
  isShared: true,
  actions: [
    { do: 'priority', priority: 'high' },
    { do: 'note', text: 'Pediu segunda via' },
  ],
  problem: '',
  names: [],
  isKnown: false,
};
