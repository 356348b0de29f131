import { chakra } from '@chakra-ui/react';
import { AtSign, Phone as PhoneIcon, Smartphone, Video } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { EmptyState } from '@/components/States';
import { formatPhone, formatTime, isSameDay } from '@/lib/format';
import { toast } from '@/lib/toast';
import {
  post,
  useAct,
  type Customer,
  type Message,
  type MessageBody,
  type SimNumber,
  type State,
} from './api';
import { Bubble } from './Bubble';
import { Composer } from './Composer';

const ProfileDialog = lazy(() =>
  import('./ProfileDialog').then((file) => ({ default: file.ProfileDialog })),
);

interface Props {
  number: SimNumber | null;
  customer: Customer | null;
  chat: State['chat'];
}

/** The reactions by message: the latest of each side. */
function reactionsOf(messages: Message[]): Map<string, string[]> {
  const found = new Map<string, Map<boolean, string>>();
  for (const { type, body, fromCustomer } of messages) {
    if (type !== 'reaction') continue;
    const { message_id: id = '', emoji = '' } = body as MessageBody;
    found.set(id, (found.get(id) ?? new Map<boolean, string>()).set(fromCustomer, emoji));
  }
  return new Map([...found].map(([id, sides]) => [id, [...sides.values()].filter(Boolean)]));
}

/** The selected customer's phone, with the conversation with the business. */
export function Phone({ number, customer, chat }: Props) {
  const { t } = useTranslation('simulator');
  const [quoted, setQuoted] = useState<Message | null>(null);
  const [naming, setNaming] = useState(false);
  const [editing, setEditing] = useState<Message | null>(null);
  const messages = chat?.messages ?? [];
  const newest = messages.at(-1)?.id;
  const unread = messages.some(
    ({ fromCustomer, status }) => !fromCustomer && (status === 'delivered' || status === 'sent'),
  );
  const target = { number: number?.id, customer: customer?.waId };
  const send = useAct((fields: object) => post('/send', { ...target, ...fields }));
  const { mutate: open } = useAct(() => post('/open', target));
  const ring = useAct((video: boolean) => post('/call', { ...target, video }));
  const hangUp = useAct((message: string) => post('/hang-up', { message }));
  const ringing = messages.findLast(
    ({ type, body }) => type === 'call' && (body as MessageBody).state === 'ringing',
  );
  const known = !!customer && !!number;

  useEffect(() => {
    if (known && unread) open(undefined);
  }, [known, unread, newest, open]);

  const change = useAct((body: string) => post('/edit', { message: editing?.id, body }));
  const save = (fields: object) =>
    change.mutateAsync((fields as MessageBody).body as string).then(
      () => setEditing(null),
      () => toast.warning(t('refused')),
    );
  const write = (fields: object) =>
    send.mutateAsync({ ...(quoted && { reply_to: quoted.id }), ...fields }).then(
      () => setQuoted(null),
      () => toast.warning(t('refused')),
    );
  const reactions = reactionsOf(messages);
  return (
    <chakra.section
      aria-label={t('phone')}
      data-testid="phone"
      display="flex"
      flexDirection="column"
      w="full"
      maxW={{ md: '420px' }}
      maxH={{ md: '860px' }}
      overflow="hidden"
      bg="bg.thread"
      borderWidth={{ base: '0', md: '6px' }}
      borderColor="border.strong"
      borderRadius={{ base: '0', md: '28px' }}
      boxShadow={{ md: 'dialog' }}
    >
      {!customer || !number ? (
        <EmptyState icon={<Smartphone size={20} />} title={t('choose')} />
      ) : (
        <>
          <chakra.header
            display="flex"
            alignItems="center"
            gap="3"
            px="4"
            minH="16"
            bg="bg.surface"
            borderBottomWidth="1px"
          >
            <Avatar name={number.name} size={40} />
            <chakra.div flex="1" minW="0">
              <chakra.h2 fontWeight="semibold" truncate>
                {number.name}
              </chakra.h2>
              <chakra.p fontSize="xs" color="fg.muted" truncate aria-live="polite">
                {chat?.typing ? (
                  <chakra.span color="status.live.fg">{t('typing')}</chakra.span>
                ) : (
                  number.phone
                )}
              </chakra.p>
            </chakra.div>
            <chakra.div textAlign="end" fontSize="xs" color="fg.muted" maxW="32" minW="0">
              <chakra.p truncate fontWeight="medium">
                {t('phoneOf', { name: customer.name })}
              </chakra.p>
              <chakra.p truncate>
                {customer.hidesNumber ? `@${customer.username}` : formatPhone(customer.waId)}
              </chakra.p>
            </chakra.div>
            <chakra.div display="flex" flexShrink="0" me="-2">
              <IconButton
                label={t('profile.open')}
                icon={<AtSign size={20} />}
                onClick={() => setNaming(true)}
              />
              <IconButton
                label={t('call.voice')}
                icon={<PhoneIcon size={20} />}
                disabled={ring.isPending || !!ringing}
                onClick={() => ring.mutate(false)}
              />
              <IconButton
                label={t('call.video')}
                icon={<Video size={20} />}
                disabled={ring.isPending || !!ringing}
                onClick={() => ring.mutate(true)}
              />
            </chakra.div>
          </chakra.header>
          <chakra.div
            role="log"
            aria-label={t('conversation')}
            data-testid="messages"
            flex="1"
            minH="0"
            overflowY="auto"
            px="3"
            py="4"
            display="flex"
            // With the reversed direction the browser keeps the end in view while images load.
            flexDirection="column-reverse"
          >
            <chakra.div display="flex" flexDirection="column" gap="1" flex="1">
              {messages.length === 0 && (
                <chakra.p m="auto" fontSize="sm" color="fg.muted">
                  {t('noMessage')}
                </chakra.p>
              )}
              {messages
                .filter(({ type }) => type !== 'reaction')
                .map((message) => (
                  <Bubble
                    key={message.id}
                    message={message}
                    quoted={messages.find(({ id }) => id === message.replyTo)}
                    reactions={reactions.get(message.id) ?? []}
                    onQuote={() => setQuoted(message)}
                    onReact={(emoji) =>
                      void write({ type: 'reaction', message_id: message.id, emoji, reply_to: '' })
                    }
                    onEdit={number.isPhone ? () => setEditing(message) : undefined}
                    onAnswer={(fields) => void write({ ...fields, reply_to: message.id })}
                  />
                ))}
            </chakra.div>
          </chakra.div>
          {ringing && (
            <chakra.div
              display="flex"
              alignItems="center"
              justifyContent="space-between"
              gap="3"
              px="4"
              py="2"
              textStyle="sm"
              bg="bg.surface"
              borderTopWidth="1px"
            >
              <span role="status">{t('call.ringing')}</span>
              <Button
                size="sm"
                variant="danger"
                loading={hangUp.isPending}
                onClick={() => hangUp.mutate(ringing.id)}
              >
                {t('call.hangUp')}
              </Button>
            </chakra.div>
          )}
          {!number.isPhone && chat && !isOpen(chat.windowEndsAt) && messages.length > 0 && (
            <chakra.p
              px="4"
              py="1.5"
              fontSize="xs"
              bg="status.waiting.subtle"
              color="status.waiting.fg"
            >
              {t('windowClosed')}
            </chakra.p>
          )}
          {!number.isPhone && chat?.windowEndsAt && isOpen(chat.windowEndsAt) && (
            <chakra.p px="4" py="1" fontSize="xs" color="fg.muted" textAlign="center">
              {t(isSameDay(chat.windowEndsAt, new Date()) ? 'windowToday' : 'windowTomorrow', {
                time: formatTime(chat.windowEndsAt),
              })}
            </chakra.p>
          )}
          <Composer
            key={editing?.id}
            editing={editing}
            quoted={editing ?? quoted}
            onUnquote={() => (editing ? setEditing(null) : setQuoted(null))}
            onSend={editing ? save : write}
          />
          {naming && (
            <Suspense fallback={null}>
              <ProfileDialog customer={customer} onClose={() => setNaming(false)} />
            </Suspense>
          )}
        </>
      )}
    </chakra.section>
  );
}

const isOpen = (endsAt: string | null) => !!endsAt && new Date(endsAt) > new Date();
