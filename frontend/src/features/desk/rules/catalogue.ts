import type { CheckField, Do, NamedKind, Operator, When } from './types';

/** What starts a rule, in the groups of its menu. */
export const WHENS: readonly { group: string; whens: readonly When[] }[] = [
  { group: 'messages', whens: ['message_in', 'message_out', 'call_missed', 'rated'] },
  { group: 'times', whens: ['we_silent', 'contact_silent', 'window_closes', 'sla_step'] },
  {
    group: 'ticket',
    whens: [
      'ticket_opened',
      'queue_changed',
      'assigned',
      'tag_set',
      'tag_taken',
      'lane_changed',
      'resolved',
      'invoice_overdue',
    ],
  },
];

/** Which rows a trigger may be bound to. */
export const KINDS_OF_IDS: Partial<Record<When, NamedKind>> = {
  tag_set: 'tag',
  tag_taken: 'tag',
  lane_changed: 'tag',
  queue_changed: 'queue',
  assigned: 'person',
};

/** What is not stored with its moment, so that a rule on it can't be rehearsed (rules/desk §16). */
export const UNTRIED: readonly When[] = ['tag_set', 'tag_taken', 'lane_changed'];

/** The times of triggers, in minutes, as the editor begins. */
export const FIRST_MINUTES: Partial<Record<When, number>> = {
  we_silent: 10,
  contact_silent: 24 * 60,
  window_closes: 2 * 60,
};

export const DOES: readonly { group: string; does: readonly Do[] }[] = [
  { group: 'tell', does: ['tell', 'note'] },
  { group: 'send', does: ['send_text', 'send_quick', 'send_template'] },
  {
    group: 'change',
    does: [
      'add_tag',
      'remove_tag',
      'priority',
      'queue',
      'person',
      'snooze',
      'contact_field',
      'resolve',
    ],
  },
  { group: 'outside', does: ['webhook'] },
];

/** The kind of row that an action names. */
export const KINDS_OF_ACTIONS: Partial<Record<Do, NamedKind>> = {
  add_tag: 'tag',
  remove_tag: 'tag',
  queue: 'queue',
  person: 'person',
  send_quick: 'quick',
};

/** What leaves the house, so no macro with it can be undone. */
export const LEAVES: readonly Do[] = [
  'send_text',
  'send_quick',
  'send_template',
  'webhook',
  'resolve',
  'tell',
];

type Values = 'ids' | 'words' | 'text' | 'span' | 'days';

/** How each field is looked at, and with what. */
export const FIELDS: Record<CheckField, { operators: readonly Operator[]; values: Values }> = {
  queue: { operators: ['is', 'empty'], values: 'ids' },
  person: { operators: ['is', 'empty'], values: 'ids' },
  tag: { operators: ['is', 'empty'], values: 'ids' },
  connection: { operators: ['is'], values: 'ids' },
  priority: { operators: ['is'], values: 'words' },
  status: { operators: ['is'], values: 'words' },
  leads: { operators: ['is'], values: 'words' },
  message: { operators: ['contains', 'is', 'starts', 'empty'], values: 'text' },
  media: { operators: ['is'], values: 'words' },
  name: { operators: ['contains', 'is', 'starts'], values: 'text' },
  number: { operators: ['starts', 'contains', 'is'], values: 'text' },
  email: { operators: ['contains', 'is', 'empty'], values: 'text' },
  contactField: { operators: ['is', 'contains', 'starts', 'empty'], values: 'text' },
  kind: { operators: ['is'], values: 'words' },
  rate: { operators: ['is'], values: 'words' },
  hour: { operators: ['between'], values: 'span' },
  weekday: { operators: ['is'], values: 'days' },
  hours: { operators: ['is'], values: 'words' },
};

export const FIELD_GROUPS: readonly { group: string; fields: readonly CheckField[] }[] = [
  {
    group: 'ticket',
    fields: ['queue', 'person', 'tag', 'priority', 'status', 'connection', 'leads'],
  },
  { group: 'message', fields: ['message', 'media', 'rate'] },
  { group: 'contact', fields: ['name', 'number', 'email', 'contactField', 'kind'] },
  { group: 'time', fields: ['hours', 'hour', 'weekday'] },
];

/** The words of a field that has a few. */
export const WORDS: Partial<Record<CheckField, readonly (string | number)[]>> = {
  priority: ['urgent', 'high', 'normal', 'low'],
  status: ['open', 'pending', 'closed'],
  leads: ['people', 'bot'],
  media: ['text', 'image', 'audio', 'video', 'file', 'contact', 'location'],
  kind: ['contact', 'group'],
  rate: [1, 2, 3],
  hours: ['open', 'closed'],
  weekday: [0, 1, 2, 3, 4, 5, 6],
};

/** With Alt it opens the macros, so none has it. */
export const MENU_KEY = 'm';
export const MACRO_KEYS = Array.from('abcdefghijklnopqrstuvwxyz0123456789');
