import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox } from '@/components/Combobox';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FormFooter } from '@/components/FormFooter';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { Select } from '@/components/Select';
import { connectionsQuery } from '@/features/connections/api';
import { queuesQuery } from '@/features/queues/api';
import { usersQuery, type User } from '@/features/users/api';
import { errorMessage } from '@/lib/toast';
import { useDebounced } from '@/lib/useDebounced';
import { otherTicketOf, useTransferTicket } from './api';
import { fieldError, queueFor, queuesOf, statusFor } from './transfer';
import type { Ticket } from './types';

const MIN_CHARACTERS = 3;

interface TransferDialogProps {
  ticket: Ticket;
  onClose: () => void;
  onDone: (ticket: Ticket) => void;
}

const userKey = (user: User) => String(user.id);
const userLabel = (user: User) => user.name;
const options = (items: readonly { id: number; name: string }[]) =>
  items.map(({ id, name }) => ({ value: String(id), label: name }));

/** Passes a ticket to a queue, someone in it, or another number (rules/tickets §3). */
export function TransferDialog({ ticket, onClose, onDone }: TransferDialogProps) {
  const { t } = useTranslation(['tickets', 'common']);
  const [user, setUser] = useState<User | null>(null);
  const [typed, setTyped] = useState('');
  const [queue, setQueue] = useState('');
  const [connection, setConnection] = useState(String(ticket.whatsappId ?? ''));
  const [touched, setTouched] = useState(false);
  const search = useDebounced(typed.trim(), SEARCH_DEBOUNCE_MS);
  const isSearching = search.length >= MIN_CHARACTERS;
  const found = useInfiniteQuery({ ...usersQuery(search), enabled: isSearching });
  const users = isSearching ? (found.data?.rows ?? []) : [];
  const queues = useQuery(queuesQuery());
  const connections = useQuery(connectionsQuery());
  const transfer = useTransferTicket(ticket.id);
  const offered = queuesOf(user, queues.data ?? []);

  const isSame =
    !user &&
    ticket.status === 'pending' &&
    Number(queue) === ticket.queueId &&
    Number(connection) === ticket.whatsappId;
  const { error } = transfer;
  const other = otherTicketOf(error);
  const errors = {
    user: fieldError(error, 'userId'),
    queue:
      touched && !queue
        ? t('transfer.queueRequired')
        : touched && isSame
          ? t('transfer.sameQueue')
          : fieldError(error, 'queueId'),
    connection:
      touched && !connection
        ? t('transfer.connectionRequired')
        : other
          ? other.user?.name
            ? t('transfer.takenBy', { name: other.user.name })
            : t('transfer.waiting', { queue: other.queue?.name ?? t('row.withoutQueue') })
          : fieldError(error, 'whatsappId'),
  };
  const isExplained = errors.user ?? errors.queue ?? errors.connection;
  const loadError = queues.error ?? connections.error;

  const choose = (next: User | null) => {
    setUser(next);
    transfer.reset();
    if (next) setQueue(queueFor(next, queue, ticket.queueId));
  };
  const submit = () => {
    setTouched(true);
    if (!queue || !connection || isSame) return;
    transfer.mutate(
      {
        status: statusFor(ticket, user?.id ?? null),
        userId: user?.id ?? null,
        queueId: Number(queue),
        whatsappId: Number(connection),
      },
      { onSuccess: onDone },
    );
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('transfer.title', { name: ticket.contact.name })}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={<FormFooter submit={t('transfer.submit')} busy={transfer.isPending} />}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('transfer.user')} help={t('transfer.userHelp')} error={errors.user}>
          <Combobox
            items={users}
            itemKey={userKey}
            itemLabel={userLabel}
            renderItem={(item) => (
              <chakra.span display="flex" flexDirection="column" minW="0">
                <chakra.span truncate>{item.name}</chakra.span>
                <chakra.span textStyle="xs" color="fg.muted" truncate>
                  {item.queues.map(({ name }) => name).join(', ') || item.email}
                </chakra.span>
              </chakra.span>
            )}
            value={user}
            onChange={choose}
            onSearch={setTyped}
            minCharacters={MIN_CHARACTERS}
            loading={found.isFetching || search !== typed.trim()}
            placeholder={t('transfer.userPlaceholder')}
          />
        </Field>
        <Field label={t('transfer.queue')} error={errors.queue} required>
          <Select
            value={queue}
            onChange={(event) => {
              setQueue(event.target.value);
              transfer.reset();
            }}
            disabled={queues.isPending}
            placeholder={t('transfer.queuePlaceholder')}
            options={options(offered)}
          />
        </Field>
        <Field label={t('transfer.connection')} error={errors.connection} required>
          <Select
            value={connection}
            onChange={(event) => {
              setConnection(event.target.value);
              transfer.reset();
            }}
            disabled={connections.isPending}
            {...(!connection && { placeholder: t('transfer.connectionPlaceholder') })}
            options={options(connections.data ?? [])}
          />
        </Field>
        {((error && !isExplained) || loadError) && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {errorMessage(loadError ?? error)}
          </chakra.p>
        )}
      </chakra.div>
    </Dialog>
  );
}
