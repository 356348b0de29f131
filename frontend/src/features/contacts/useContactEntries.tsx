import {
  CalendarClock,
  Merge,
  MessageSquare,
  MessageSquarePlus,
  Pencil,
  ShieldUser,
  Trash2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Pages } from '@/components/ListEnd';
import type { MenuEntry } from '@/components/Menu';
import { may, mayBegin, planAllows } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import type { Contact, ListedContact } from './types';

interface ContactActions {
  onEdit: (contact: Contact) => void;
  /** Starts a conversation, or opens the contact's active ticket. */
  onStart: (contact: ListedContact) => void;
  onSchedule: (contact: Contact) => void;
  /** Omitted for users who may not merge. */
  onMerge?: ((contact: Contact) => void) | undefined;
  /** Omitted for users who may neither export nor erase a person's data. */
  onPrivacy?: ((contact: Contact) => void) | undefined;
  /** Omitted for users who may not delete. */
  onDelete?: ((contact: Contact) => void) | undefined;
}

export interface ContactRowsProps extends ContactActions {
  contacts: readonly ListedContact[];
  count: number;
  /** Omitted if there is no action on a selection. */
  selected?: ReadonlySet<number> | undefined;
  onSelect: (ids: readonly number[], on: boolean) => void;
  pages: Pages;
}

export interface ContactEntry extends MenuEntry {
  label: string;
  /** Its accessible name if it has no label. */
  name: string;
}

/** The actions on a contact, for a row's buttons and a card's menu. */
export function useContactEntries(actions: ContactActions) {
  const { onEdit, onStart, onSchedule, onMerge, onPrivacy, onDelete } = actions;
  const { t } = useTranslation(['contacts', 'common']);
  const user = useCurrentUser();
  const maySchedule = planAllows(user, 'useSchedules');
  return (contact: ListedContact): ContactEntry[] => {
    const { name } = contact;
    // A contact without a number cannot receive messages.
    const disabled = !contact.number;
    const entry = (
      id: 'start' | 'ticket' | 'schedule' | 'edit' | 'merge' | 'privacy' | 'delete',
    ) => ({
      id,
      label: t(`actions.${id}`),
      name: t(`actionsOf.${id}`, { name }),
    });
    return [
      contact.uuid
        ? {
            ...entry('ticket'),
            icon: <MessageSquare size={16} />,
            onSelect: () => onStart(contact),
          }
        : mayBegin(user) && {
            ...entry('start'),
            icon: <MessageSquarePlus size={16} />,
            onSelect: () => onStart(contact),
            disabled,
          },
      ...(maySchedule
        ? [
            {
              ...entry('schedule'),
              icon: <CalendarClock size={16} />,
              onSelect: () => onSchedule(contact),
              disabled,
            },
          ]
        : []),
      ...(may(user, 'contacts:edit')
        ? [{ ...entry('edit'), icon: <Pencil size={16} />, onSelect: () => onEdit(contact) }]
        : []),
      ...(onMerge
        ? [
            {
              ...entry('merge'),
              icon: <Merge size={16} />,
              onSelect: () => onMerge(contact),
              disabled: contact.isGroup,
            },
          ]
        : []),
      ...(onPrivacy
        ? [
            {
              ...entry('privacy'),
              icon: <ShieldUser size={16} />,
              onSelect: () => onPrivacy(contact),
            },
          ]
        : []),
      ...(onDelete
        ? [
            {
              ...entry('delete'),
              icon: <Trash2 size={16} />,
              onSelect: () => onDelete(contact),
              danger: true,
            },
          ]
        : []),
    ].filter((each) => each !== false);
  };
}
