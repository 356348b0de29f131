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
  'webhook',
  'invoice',
  'payment',
  'dashboard',
] as const;

const NAMES = ['name', 'title', 'contact', 'email', 'list'] as const;

/**
 * On what something was done, as it was called then; '' where the log does not name it, and where
 * it is who did it.
 */
export function subjectOf(entry: AuditEntry): string {
  const { detail, objectId, objectType, actorId } = entry;
  const known = NAMES.map((name) => detail[name]).find((text) => typeof text === 'string' && text);
  if (typeof known === 'string') return known;
  const isOwn = objectType === 'user' && objectId === String(actorId);
  return objectId && !isOwn ? `#${objectId}` : '';
}
