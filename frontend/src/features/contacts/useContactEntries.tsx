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
import { planAllows } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import type { Contact, ListedContact } from './types';

interface ContactActions {
  onEdit: (contact: Contact) => void;
  /** To write to it: of one that has a live ticket, there. */
  onStart: (contact: ListedContact) => void;
  onSchedule: (contact: Contact) => void;
  /** Left out for who may not merge. */
  onMerge?: ((contact: Contact) => void) | undefined;
  /** Left out for who may neither export nor erase one person's data. */
  onPrivacy?: ((contact: Contact) => void) | undefined;
  /** Left out for who may not delete. */
  onDelete?: ((contact: Contact) => void) | undefined;
}

export interface ContactRowsProps extends ContactActions {
  contacts: readonly ListedContact[];
  count: number;
  /** Left out where nothing can be done with a choice. */
  selected?: ReadonlySet<number> | undefined;
  onSelect: (ids: readonly number[], on: boolean) => void;
  pages: Pages;
}

export interface ContactEntry extends MenuEntry {
  label: string;
  /** Its name where it stands without words. */
  name: string;
}

/** What can be done with a contact, for a row's buttons and a card's menu alike. */
export function useContactEntries(actions: ContactActions) {
  const { onEdit, onStart, onSchedule, onMerge, onPrivacy, onDelete } = actions;
  const { t } = useTranslation(['contacts', 'common']);
  const maySchedule = planAllows(useCurrentUser(), 'useSchedules');
  return (contact: ListedContact): ContactEntry[] => {
    const { name } = contact;
    // Nobody can be written to without a number.
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
        : {
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
      { ...entry('edit'), icon: <Pencil size={16} />, onSelect: () => onEdit(contact) },
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
    ];
  };
}
