import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Avatar } from '@/components/Avatar';
import { Button } from '@/components/Button';
import { CancelButton, Dialog } from '@/components/Dialog';
import { SearchInput } from '@/components/SearchInput';
import { ErrorState, SkeletonRows } from '@/components/States';
import { contactSearchQuery, type Contact } from '@/features/contacts/api';
import { ApiError } from '@/lib/api/errors';
import { newClientId } from '@/lib/clientId';
import { formatPhone } from '@/lib/format';
import { errorMessage, toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { forwardCheckQuery, forwardMessage } from './api';
import { storeMessages } from './cache';
import { Quote } from './Quote';
import type { Forwarded, Message } from './types';

const MIN_CHARACTERS = 3;
/** The server's limit. */
const MAX_CONTACTS = 20;
const MAX_CHECKED = 60;

const TextLink = chakra(Link, {
  base: { flexShrink: '0', textStyle: 'sm', color: 'brand.fg', fontWeight: 'medium' },
});

interface ForwardDialogProps {
  message: Message;
  onClose: () => void;
}

/** Forwards a message to other contacts and reports the result for each. */
export function ForwardDialog({ message, onClose }: ForwardDialogProps) {
  const { t } = useTranslation(['conversation', 'common']);
  const client = useQueryClient();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Contact[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [result, setResult] = useState<Forwarded | null>(null);
  // One id for each dialog: a retry after a lost connection sends nothing twice.
  const [clientId] = useState(newClientId);
  const found = useQuery(contactSearchQuery(search));
  const contacts = found.data?.contacts ?? [];
  const check = useQuery(
    forwardCheckQuery(
      message.id,
      contacts.slice(0, MAX_CHECKED).map(({ id }) => id),
    ),
  );
  const refusals = new Map(check.data?.refused.map((each) => [each.contactId, each]));

  const submit = async () => {
    setBusy(true);
    setFailure('');
    try {
      const done = await forwardMessage(
        message.id,
        chosen.map(({ id }) => id),
        clientId,
      );
      for (const sent of done.messages) storeMessages(client, sent.ticketId, [sent]);
      if (done.refused.length > 0) setResult(done);
      else {
        toast.success(t('forward.done', { count: done.messages.length }));
        onClose();
      }
    } catch (error) {
      setFailure(errorMessage(error));
      // A chosen contact may have been deleted: search again.
      if (error instanceof ApiError && error.status === 404) void found.refetch();
    }
    setBusy(false);
  };

  if (result) return <Result result={result} chosen={chosen} onClose={onClose} />;

  const toggle = (contact: Contact) => {
    setFailure('');
    setChosen((before) =>
      before.some(({ id }) => id === contact.id)
        ? before.filter(({ id }) => id !== contact.id)
        : [...before, contact],
    );
  };
  const isFull = chosen.length >= MAX_CONTACTS;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('forward.title')}
      dirty={chosen.length > 0 && !busy}
      footer={
        <>
          {failure && (
            <chakra.span role="alert" textStyle="sm" color="status.danger.fg" me="auto">
              {failure}
            </chakra.span>
          )}
          <CancelButton disabled={busy} />
          <Button onClick={() => void submit()} disabled={chosen.length === 0} loading={busy}>
            {t('forward.submit')}
          </Button>
        </>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="4" minH="320px">
        <Quote quoted={message} />
        {chosen.length > 0 && (
          <chakra.ul
            aria-label={t('forward.chosen')}
            display="flex"
            flexWrap="wrap"
            gap="1.5"
            maxH="24"
            overflowY="auto"
            listStyleType="none"
          >
            {chosen.map((contact) => (
              <li key={contact.id}>
                <chakra.button
                  type="button"
                  aria-label={t('forward.remove', { name: contact.name })}
                  onClick={() => toggle(contact)}
                  display="inline-flex"
                  alignItems="center"
                  gap="1.5"
                  h="7"
                  ps="2.5"
                  pe="1.5"
                  maxW="220px"
                  borderRadius="full"
                  bg="brand.subtle"
                  color="brand.fg"
                  textStyle="sm"
                  cursor="pointer"
                  _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
                >
                  <chakra.span truncate>{contact.name}</chakra.span>
                  <X size={16} aria-hidden />
                </chakra.button>
              </li>
            ))}
          </chakra.ul>
        )}
        <SearchInput autoFocus value={search} onSearch={setSearch} label={t('forward.search')} />
        <chakra.div flex="1" minH="0" mx="-2" role="group" aria-label={t('forward.contacts')}>
          {search.trim().length < MIN_CHARACTERS ? (
            <Hint>{t('forward.type', { count: MIN_CHARACTERS })}</Hint>
          ) : found.error ? (
            <ErrorState error={found.error} onRetry={() => void found.refetch()} />
          ) : !found.data ? (
            <SkeletonRows rows={3} />
          ) : contacts.length === 0 ? (
            <Hint>{t('forward.none')}</Hint>
          ) : (
            contacts.map((contact) => {
              const isChosen = chosen.some(({ id }) => id === contact.id);
              const refusal = refusals.get(contact.id);
              const needsTemplate = refusal?.code === 'ERR_OUTSIDE_24H_WINDOW';
              const isLedElsewhere = refusal?.code === 'ERR_LED_ELSEWHERE';
              return (
                <chakra.div key={contact.id} display="flex" alignItems="center" gap="2">
                  <chakra.button
                    type="button"
                    role="checkbox"
                    aria-checked={isChosen}
                    disabled={!isChosen && (isFull || !contact.number || refusal !== undefined)}
                    onClick={() => toggle(contact)}
                    display="flex"
                    alignItems="center"
                    gap="3"
                    flex="1"
                    minW="0"
                    px="2"
                    py="1.5"
                    textAlign="start"
                    borderRadius="md"
                    cursor="pointer"
                    _hover={{ bg: 'bg.hover' }}
                    _disabled={{ cursor: 'not-allowed', '& > *': { opacity: refusal ? 0.7 : 0.5 } }}
                    _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
                  >
                    <Avatar
                      name={contact.name}
                      src={contact.profilePicUrl}
                      group={contact.isGroup}
                      size={32}
                    />
                    <chakra.span flex="1" minW="0">
                      <chakra.span display="block" truncate>
                        {contact.name}
                      </chakra.span>
                      <chakra.span
                        display="block"
                        textStyle="sm"
                        color={refusal ? 'status.danger.fg' : 'fg.muted'}
                        fontVariantNumeric="tabular-nums"
                        truncate={!refusal}
                      >
                        {refusal
                          ? needsTemplate
                            ? t('forward.windowClosed')
                            : isLedElsewhere
                              ? t('forward.ledElsewhere')
                              : refusal.message
                          : contact.number
                            ? formatPhone(contact.number)
                            : t('forward.noNumber')}
                      </chakra.span>
                    </chakra.span>
                    <chakra.span
                      aria-hidden
                      display="flex"
                      alignItems="center"
                      justifyContent="center"
                      w="5"
                      h="5"
                      borderRadius="full"
                      borderWidth="1px"
                      {...(isChosen
                        ? { bg: 'brand.solid', borderColor: 'brand.solid', color: 'brand.on' }
                        : { borderColor: 'border.control' })}
                    >
                      {isChosen && <Check size={14} />}
                    </chakra.span>
                  </chakra.button>
                  {(needsTemplate || isLedElsewhere) && contact.uuid && (
                    <TextLink to={paths.ticket(contact.uuid)} onClick={onClose}>
                      {t(needsTemplate ? 'forward.sendTemplate' : 'forward.openToTake')}
                    </TextLink>
                  )}
                </chakra.div>
              );
            })
          )}
        </chakra.div>
        {isFull && <Hint>{t('forward.full', { count: MAX_CONTACTS })}</Hint>}
      </chakra.div>
    </Dialog>
  );
}

const Hint = chakra('p', {
  base: { px: '2', py: '4', textStyle: 'sm', color: 'fg.muted', textAlign: 'center' },
});

/** The contacts who got the message, and those who did not, each with the reason. */
function Result(props: { result: Forwarded; chosen: Contact[]; onClose: () => void }) {
  const { result, chosen, onClose } = props;
  const { t } = useTranslation(['conversation', 'common']);
  const reasons = new Map(result.refused.map((each) => [each.contactId, each]));
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        result.messages.length > 0
          ? t('forward.partly', { count: result.messages.length, total: chosen.length })
          : t('forward.toNobody')
      }
      footer={<Button onClick={onClose}>{t('common:actions.close')}</Button>}
    >
      <chakra.ul display="flex" flexDirection="column" gap="3" listStyleType="none">
        {chosen.map(({ id, name }) => {
          const refusal = reasons.get(id);
          return (
            <chakra.li key={id} display="flex" gap="3">
              <chakra.span
                aria-hidden
                flexShrink="0"
                display="flex"
                pt="0.5"
                color={refusal ? 'status.danger.fg' : 'status.live.fg'}
              >
                {refusal ? <CircleAlert size={16} /> : <Check size={16} />}
              </chakra.span>
              <chakra.span minW="0">
                <chakra.strong display="block" fontWeight="medium" overflowWrap="anywhere">
                  {name}
                </chakra.strong>
                <chakra.span textStyle="sm" color="fg.muted">
                  {refusal ? refusal.message : t('forward.sent')}
                </chakra.span>
              </chakra.span>
            </chakra.li>
          );
        })}
      </chakra.ul>
    </Dialog>
  );
}
