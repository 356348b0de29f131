import type { AuditEntry } from './types';

/** What deeds are done on, in the order of the choice; each is what an action begins with. */
export const KINDS = [
  'session',
  'user',
  'company',
  'connection',
  'template',
  'queue',
  'contact',
  'contacts',
  'tag',
  'ticket',
  'campaign',
  'contact_list',
  'contact_list_item',
  'segment',
  'file_list',
  'prompt',
  'integration',
  'invoice',
  'payment',
] as const;

const NAMES = ['name', 'title', 'contact', 'email', 'list'] as const;

/** On what something was done, as it was called then; '' where the log does not name it. */
export function subjectOf({ detail, objectId }: Pick<AuditEntry, 'detail' | 'objectId'>): string {
  const known = NAMES.map((name) => detail[name]).find((text) => typeof text === 'string' && text);
  return typeof known === 'string' ? known : objectId && `#${objectId}`;
}
