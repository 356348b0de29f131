import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox } from '@/components/Combobox';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { Select } from '@/components/Select';
import { connectionsQuery } from '@/features/connections/api';
import { contactSearchQuery, type Contact } from '@/features/contacts/api';
import { queuesQuery } from '@/features/queues/api';
import { formatPhone } from '@/lib/format';
import { may } from '@/lib/permissions';
import { errorMessage, toast } from '@/lib/toast';
import { useDebounced } from '@/lib/useDebounced';
import { useWrongField } from '@/lib/useWrongField';
import { useCurrentUser } from '@/stores/session';
import { otherTicketOf, otherTicketText, useCreateTicket } from './api';
import type { Ticket } from './types';

interface NewTicketDialogProps {
  onClose: () => void;
  /** Called with the ticket to open: the new one, or the user's own that was already open. */
  onTicket: (ticket: Ticket) => void;
  /** Called if the typed name has no match; the page opens the contact dialog. */
  onCreateContact: (name: string) => void;
  /** The contact that was just created, preselected. */
  contact?: Contact | null;
}

const contactKey = (contact: Contact) => String(contact.id);
const contactLabel = (contact: Contact) => contact.name;
/** A contact without a number cannot receive messages (rules/tickets §4). */
const isUnreachable = (contact: Contact) => !contact.number;

/**
 * The dialog that opens a ticket with a contact, who may have to be created first
 * (rules/tickets §4).
 */
export function NewTicketDialog({
  onClose,
  onTicket,
  onCreateContact,
  contact: given,
}: NewTicketDialogProps) {
  const { t } = useTranslation(['tickets', 'inbox', 'common']);
  const user = useCurrentUser();
  const isAdmin = may(user, 'tickets:seeAll');
  const allQueues = useQuery({ ...queuesQuery(), enabled: isAdmin });
  const queues = isAdmin ? (allQueues.data ?? []) : user.queues;
  const connections = useQuery(connectionsQuery());
  const [chosen, setChosen] = useState<Contact | null>(null);
  const contact = chosen ?? given ?? null;
  const [typed, setTyped] = useState('');
  const [queueId, setQueueId] = useState<string | null>(null);
  const [connectionId, setConnectionId] = useState<string | null>(null);
  const { form, isTried, attempt } = useWrongField<HTMLDivElement>();
  const search = useDebounced(typed, SEARCH_DEBOUNCE_MS);
  const found = useQuery(contactSearchQuery(search));
  const create = useCreateTicket();

  const onlyQueue = user.queues.length === 1 ? String(user.queues[0]?.id) : '';
  const queue = queueId ?? onlyQueue;
  const usual =
    connections.data?.find(({ id }) => id === user.whatsappId) ??
    connections.data?.find(({ isDefault }) => isDefault) ??
    connections.data?.[0];
  const connection = connectionId ?? (usual ? String(usual.id) : '');

  const contactError = isTried && !contact ? t('newTicket.contactRequired') : undefined;
  const queueError = isTried && !queue && !isAdmin ? t('newTicket.queueRequired') : undefined;
  const contacts = found.data?.contacts ?? [];
  const settled = search.trim().length >= 3 && search === typed && found.isSuccess;

  const submit = () => {
    attempt();
    if (!contact || (!queue && !isAdmin)) return;
    create.mutate(
      {
        contactId: contact.id,
        queueId: queue ? Number(queue) : null,
        whatsappId: connection ? Number(connection) : null,
      },
      {
        onSuccess: onTicket,
        onError: (error) => {
          const other = otherTicketOf(error);
          if (other?.userId !== user.id) return;
          toast.info(t('otherOwn'));
          onTicket(other);
        },
      },
    );
  };

  const taken = otherTicketOf(create.error);
  const refusal = taken ? otherTicketText(taken) : create.error && errorMessage(create.error);

  return (
    <FormDialog
      onClose={onClose}
      dirty={chosen !== null || queueId !== null || connectionId !== null}
      title={t('newTicket.title')}
      size="md"
      onSubmit={submit}
      submitLabel={t('newTicket.submit')}
      busy={create.isPending}
    >
      <chakra.div ref={form} display="flex" flexDirection="column" gap="4">
        <Field label={t('newTicket.contact')} error={contactError} required>
          <Combobox
            items={contacts}
            itemKey={contactKey}
            itemLabel={contactLabel}
            itemDisabled={isUnreachable}
            renderItem={(item) => (
              <chakra.span display="flex" flexDirection="column">
                <span>{item.name}</span>
                <chakra.span textStyle="xs" color="fg.muted">
                  {item.number ? formatPhone(item.number) : t('inbox:newTicket.noNumber')}
                </chakra.span>
              </chakra.span>
            )}
            value={contact}
            onChange={setChosen}
            onSearch={setTyped}
            minCharacters={3}
            loading={typed !== search || found.isFetching}
            error={found.error && errorMessage(found.error)}
            creation={
              settled &&
              contacts.length === 0 &&
              may(user, 'contacts:edit') && {
                label: t('newTicket.createContact', { name: typed.trim() }),
                onCreate: () => onCreateContact(typed.trim()),
              }
            }
            placeholder={t('newTicket.contactPlaceholder')}
          />
        </Field>
        <Field
          label={t('newTicket.queue')}
          error={queueError}
          required={!isAdmin}
          {...(!isAdmin && queues.length === 0 && { help: t('filter.noQueues') })}
        >
          <Select
            value={queue}
            onChange={(event) => setQueueId(event.target.value)}
            placeholder={isAdmin ? t('row.withoutQueue') : t('newTicket.queuePlaceholder')}
            options={queues.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
        <Field label={t('newTicket.connection')}>
          <Select
            value={connection}
            onChange={(event) => setConnectionId(event.target.value)}
            disabled={!connections.data?.length}
            options={(connections.data ?? []).map(({ id, name, status }) => ({
              value: String(id),
              label: status === 'CONNECTED' ? name : t('inbox:newTicket.offline', { name }),
            }))}
          />
        </Field>
        {refusal && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {refusal}
          </chakra.p>
        )}
      </chakra.div>
    </FormDialog>
  );
}
