import { useCompanyEvent } from '@/lib/socket';
import type { RelatedChange } from './related';

/** Calls `onChange` for changes of the records that tickets show (rules/realtime §4). */
export function useRelatedEvents(onChange: (change: RelatedChange) => void) {
  useCompanyEvent('contact', (event) => {
    if (event.action === 'reload') return;
    if (event.action === 'delete') onChange({ kind: 'contact', id: event.contactId, now: null });
    else {
      const { id, name, number, email, profilePicUrl, ignoreMessages } = event.contact;
      const now = { name, number, email, profilePicUrl, ignoreMessages };
      onChange({ kind: 'contact', id, now });
    }
  });
  useCompanyEvent('queue', (event) => {
    if (event.action === 'delete') onChange({ kind: 'queue', id: event.queueId, now: null });
    else {
      const { id, name, color } = event.queue;
      onChange({ kind: 'queue', id, now: { name, color } });
    }
  });
  useCompanyEvent('whatsapp', (event) => {
    if (event.action === 'delete')
      onChange({ kind: 'connection', id: event.whatsappId, now: null });
    else {
      const { id, name, status } = event.whatsapp;
      onChange({ kind: 'connection', id, now: { name, status } });
    }
  });
  useCompanyEvent('whatsappSession', ({ session: { id, status } }) =>
    onChange({ kind: 'connection', id, now: { status } }),
  );
  useCompanyEvent('user', (event) => {
    if (event.action === 'delete') return;
    const { id, name } = event.user;
    onChange({ kind: 'user', id, now: { name } });
  });
  useCompanyEvent('tag', (event) => {
    if (event.action === 'delete') onChange({ kind: 'tag', id: event.tagId, now: null });
    else {
      const { id, name, color, kanban } = event.tag;
      onChange({ kind: 'tag', id, now: { name, color, kanban } });
    }
  });
}
