import type { AuditEntry } from './types';

/** The kinds of objects in the order of the select; each is the prefix of its actions. */
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
  'opt_out',
  'segment',
  'file_list',
  'prompt',
  'integration',
  'webhook',
  'service_token',
  'invoice',
  'payment',
  'dashboard',
  'costs',
  'reports',
  'move_in',
] as const;

const NAMES = ['name', 'title', 'contact', 'email', 'list'] as const;

/**
 * The name of the object at the time of the action; '' if the log has none, or if it is the acting
 * user.
 */
export function subjectOf(entry: AuditEntry): string {
  const { detail, objectId, objectType, actorId } = entry;
  const known = NAMES.map((name) => detail[name]).find((text) => typeof text === 'string' && text);
  if (typeof known === 'string') return known;
  const isOwn = objectType === 'user' && objectId === String(actorId);
  return objectId && !isOwn ? `#${objectId}` : '';
}
