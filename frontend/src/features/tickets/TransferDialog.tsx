import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { Combobox } from '@/components/Combobox';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { PresenceMark } from '@/components/PresenceMark';
import { Select } from '@/components/Select';
import { TextArea } from '@/components/TextInput';
import { connectionsQuery } from '@/features/connections/api';
import { usePresences, usePresenceWords } from '@/features/desk/api';
import { queuesQuery } from '@/features/queues/api';
import { userOptionsQuery, type User } from '@/features/users/api';
import { may } from '@/lib/permissions';
import { errorMessage } from '@/lib/toast';
import { useWrongField } from '@/lib/useWrongField';
import { useCurrentUser } from '@/stores/session';
import { confirmUnsent } from '@/stores/unsent';
import { otherTicketOf, useTransferTicket } from './api';
import { fieldError, mayHold, placesOf, queueFor, statusFor } from './transfer';
import {
  recentTargets,
  rememberTarget,
  targetKey,
  targetsFor,
  type PlacedTarget,
} from './transferTargets';
import type { Ticket } from './types';

/** The server's length limit (rules/tickets §3). */
const MAX_NOTE = 1000;

interface TransferDialogProps {
  ticket: Ticket;
  onClose: () => void;
  onDone: (ticket: Ticket) => void;
}

const targetName = ({ name }: PlacedTarget) => name;
const options = (items: readonly { id: number; name: string }[]) =>
  items.map(({ id, name }) => ({ value: String(id), label: name }));

/**
 * Transfers a ticket to a user or a queue, or only to another connection, with a note for the team
 * (rules/tickets §3).
 */
export function TransferDialog({ ticket, onClose, onDone }: TransferDialogProps) {
  const { t } = useTranslation(['tickets', 'common', 'inbox']);
  const me = useCurrentUser();
  const { form, isTried, attempt } = useWrongField<HTMLDivElement>();
  const [target, setTarget] = useState<PlacedTarget | null>(null);
  const [typed, setTyped] = useState('');
  const [queueOfUser, setQueueOfUser] = useState('');
  const [connection, setConnection] = useState(String(ticket.whatsappId ?? ''));
  const [note, setNote] = useState('');
  const [recent] = useState(() => recentTargets(me.id));
  // Never from the cache, because it shows who is online.
  const users = useQuery({ ...userOptionsQuery(), staleTime: 0 });
  const queues = useQuery(queuesQuery());
  const connections = useQuery(connectionsQuery());
  const transfer = useTransferTicket(ticket.id);
  // Otherwise only the person changes.
  const mayMove = may(me, 'tickets:transfer');

  const ownId = ticket.status === 'open' && ticket.userId === me.id ? me.id : null;
  const targets = useMemo(() => {
    // Nobody hands a conversation that they hold to themselves.
    const people = (users.data ?? []).filter(
      ({ id }) => id !== ownId && may(me, id === me.id ? 'tickets:take' : 'tickets:assign'),
    );
    return targetsFor(people, mayMove ? (queues.data ?? []) : [], recent, typed);
  }, [users.data, queues.data, recent, typed, ownId, me, mayMove]);
  const placesWith = (person: User) => placesOf(person, queues.data ?? [], ticket, mayMove);
  const isIdle = (idle: PlacedTarget) =>
    idle.kind === 'user' &&
    (!mayHold(idle.user) || (!mayMove && placesWith(idle.user).length === 0));
  const groupName = useCallback(({ group }: PlacedTarget) => t(`transfer.groups.${group}`), [t]);
  const user = target?.kind === 'user' ? target.user : null;
  const offered = user ? placesWith(user) : [];
  const queue = target?.kind === 'queue' ? String(target.id) : queueOfUser;
  const asksQueue = user !== null && (offered.length > 1 || !queue);
  const asksConnection = !ticket.whatsappId || (mayMove && (connections.data ?? []).length > 1);
  const stays = Number(queue) === ticket.queueId && Number(connection) === ticket.whatsappId;
  // Another connection alone keeps holder and queue.
  const keepsPlace =
    !target &&
    !typed.trim() &&
    ticket.status !== 'closed' &&
    ticket.queueId !== null &&
    ticket.whatsappId !== null &&
    Number(connection) !== ticket.whatsappId;
  const isSame =
    stays &&
    (user
      ? ticket.status === 'open' && ticket.userId === user.id
      : ticket.status === 'pending' && target !== null);

  const receiving = queues.data?.find(({ id }) => id === Number(queue));
  const asksNote = target !== null && user?.id !== me.id && (receiving?.asksTransferNote ?? false);
  const lacksNote = asksNote && note.trim() === '';

  const { error } = transfer;
  const other = otherTicketOf(error);
  const ofQueue = fieldError(error, 'queueId');
  const errors = {
    target:
      isTried && !target && !keepsPlace
        ? t('transfer.targetRequired')
        : isTried && isSame
          ? t(user ? 'transfer.sameUser' : 'transfer.sameQueue', { name: target?.name })
          : (fieldError(error, 'userId') ?? (asksQueue ? undefined : ofQueue)),
    queue: isTried && !queue && !keepsPlace ? t('transfer.queueRequired') : ofQueue,
    connection:
      isTried && !connection
        ? t('transfer.connectionRequired')
        : other
          ? other.user?.name
            ? t('transfer.takenBy', { name: other.user.name })
            : t('transfer.waiting', { queue: other.queue?.name ?? t('row.withoutQueue') })
          : fieldError(error, 'whatsappId'),
    note: isTried && lacksNote ? t('inbox:transferNote.required') : fieldError(error, 'note'),
  };
  const isExplained =
    errors.target ?? errors.queue ?? (asksConnection ? errors.connection : null) ?? errors.note;
  const listError = users.error ?? queues.error;
  // An empty list shows its own error.
  const loadError = connections.error ?? (targets.length > 0 ? listError : null);

  const choose = (next: PlacedTarget | null) => {
    setTarget(next);
    transfer.reset();
    if (next?.kind === 'user')
      setQueueOfUser(queueFor(next.user, String(ticket.queueId ?? ''), ticket.queueId));
  };
  const submit = async () => {
    attempt();
    const isPlaced = target !== null && queue !== '' && !isSame;
    if (!connection || !(isPlaced || keepsPlace) || lacksNote) return;
    if (!(await confirmUnsent('transfer', ticket.id))) return;
    transfer.mutate(
      {
        ...(target && {
          status: statusFor(ticket, user?.id ?? null),
          userId: user?.id ?? null,
          queueId: Number(queue),
        }),
        whatsappId: Number(connection),
        ...(note.trim() && { note: note.trim() }),
      },
      {
        onSuccess: (changed) => {
          if (target) rememberTarget(me.id, target);
          onDone(changed);
        },
      },
    );
  };
  return (
    <FormDialog
      onClose={onClose}
      dirty={note.trim() !== ''}
      title={t('transfer.title', { name: ticket.contact.name })}
      onSubmit={() => void submit()}
      submitLabel={t('transfer.submit')}
      busy={transfer.isPending}
    >
      {/* As high as the field with its open list, so that the list covers no button. */}
      <chakra.div ref={form} display="flex" flexDirection="column" gap="4" minH="328px">
        <Field
          label={t('transfer.target')}
          {...(target?.kind === 'queue' && { help: t('transfer.queueHelp') })}
          {...(keepsPlace && {
            help: ticket.user
              ? t('transfer.keepsHolder', { name: ticket.user.name })
              : t('transfer.keepsQueue', { queue: ticket.queue?.name }),
          })}
          {...(user && !asksQueue && { help: t('transfer.inQueue', { queue: offered[0]?.name }) })}
          error={errors.target}
          required={!keepsPlace}
        >
          <Combobox
            eager
            items={targets}
            itemKey={targetKey}
            itemLabel={targetName}
            itemGroup={groupName}
            itemDisabled={isIdle}
            renderItem={(item) => <TargetOption target={item} />}
            value={target}
            onChange={choose}
            onSearch={setTyped}
            loading={users.isPending || queues.isPending}
            error={listError && errorMessage(listError)}
            placeholder={t('transfer.targetPlaceholder')}
          />
        </Field>
        {asksQueue && (
          <Field label={t('transfer.queue')} error={errors.queue} required>
            <Select
              value={queue}
              onChange={(event) => {
                setQueueOfUser(event.target.value);
                transfer.reset();
              }}
              placeholder={t('transfer.queuePlaceholder')}
              options={options(offered)}
            />
          </Field>
        )}
        {asksConnection && (
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
        )}
        <Field
          label={asksNote ? t('inbox:transferNote.label') : t('transfer.note')}
          help={t('transfer.noteHelp')}
          error={errors.note}
          required={asksNote}
        >
          <TextArea
            value={note}
            maxLength={MAX_NOTE}
            placeholder={t('transfer.notePlaceholder')}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        {((error && !isExplained) || loadError) && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {errorMessage(loadError ?? error)}
          </chakra.p>
        )}
      </chakra.div>
    </FormDialog>
  );
}

/** A user with presence and queues, or a queue with its colour. */
function TargetOption({ target }: { target: PlacedTarget }) {
  const { t } = useTranslation('tickets');
  const presences = usePresences();
  const words = usePresenceWords();
  if (target.kind === 'queue') {
    return (
      <chakra.span display="flex" alignItems="center" gap="2.5" minW="0">
        <chakra.span display="flex" justifyContent="center" w="8" flexShrink="0" aria-hidden>
          <chakra.span
            w="3"
            h="3"
            borderRadius="full"
            style={{ backgroundColor: target.queue.color }}
          />
        </chakra.span>
        <chakra.span truncate>{target.name}</chakra.span>
        <chakra.span ms="auto" textStyle="xs" color="fg.muted" flexShrink="0">
          {t('transfer.waits')}
        </chakra.span>
      </chakra.span>
    );
  }
  const { user } = target;
  const serves = user.queues.map(({ name }) => name).join(', ');
  const presence = presences?.get(user.id);
  return (
    <chakra.span display="flex" alignItems="center" gap="2.5" minW="0">
      <Avatar name={user.name} size={32} online={!presence && user.online} />
      <chakra.span display="flex" flexDirection="column" flex="1" minW="0">
        <chakra.span truncate>{user.name}</chakra.span>
        <chakra.span textStyle="xs" color="fg.muted" truncate>
          {serves || t(mayHold(user) ? 'transfer.allQueues' : 'transfer.noQueues')}
        </chakra.span>
      </chakra.span>
      {presence ? (
        <PresenceMark presence={presence.presence} label={words(presence)} words />
      ) : (
        <chakra.span
          textStyle="xs"
          flexShrink="0"
          color={user.online ? 'status.live.fg' : 'fg.muted'}
        >
          {t(user.online ? 'transfer.online' : 'transfer.offline')}
        </chakra.span>
      )}
    </chakra.span>
  );
}
