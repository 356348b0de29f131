import { chakra } from '@chakra-ui/react';
import { CircleAlert, Reply, RotateCw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import { IconButton } from '@/components/IconButton';
import { avatarHue } from '@/lib/format';
import { toast } from '@/lib/toast';
import { resendMessage, type Message } from './api';
import { Bubble } from './Bubble';
import { changeConversation } from './cache';
import { Audio } from './content/Audio';
import {
  CallLog,
  ContactCards,
  Document,
  Interactive,
  Place,
  TemplateMessage,
  Unshown,
} from './content/Cards';
import { Film, Picture, Sticker } from './content/Media';
import { BigEmoji, isBigEmoji, Text } from './content/Text';
import { foldUpdated } from './fold';
import { INTERRUPTED, removeItem, resendItem, type OutboxItem } from './outbox';
import { Quote, useAuthor } from './Quote';

export interface RowHandlers {
  ticketId: number;
  canWrite: boolean;
  /** Whether names stand above the bubbles. */
  isGroup: boolean;
  isLoaded: (messageId: number) => boolean;
  onReply: (message: Message) => void;
  onJump: (messageId: number) => void;
  onOpenImage: (messageId: number) => void;
}

interface MessageRowProps {
  message: Message;
  first: boolean;
  /** Set for what the server has not taken yet. */
  item?: OutboxItem;
  highlighted: boolean;
  handlers: RowHandlers;
}

const TIGHT = new Set(['image', 'video', 'audio', 'application', 'vcard', 'locationMessage']);

function Content({ message, item, handlers }: Omit<MessageRowProps, 'first' | 'highlighted'>) {
  const { t } = useTranslation('messages');
  if (message.isDeleted) return <Unshown message={message} words={t('deleted')} />;
  switch (message.mediaType) {
    case 'image':
      return (
        <Picture message={message} item={item} onOpen={() => handlers.onOpenImage(message.id)} />
      );
    case 'sticker':
      return <Sticker message={message} />;
    case 'video':
      return <Film message={message} item={item} />;
    case 'audio':
      return <Audio message={message} item={item} />;
    case 'application':
      return <Document message={message} item={item} />;
    case 'vcard':
      return <ContactCards message={message} />;
    case 'locationMessage':
      return <Place message={message} />;
    case 'interactive_list':
      return <Interactive message={message} />;
    case 'template':
      return <TemplateMessage message={message} />;
    case 'call_log':
      return <CallLog message={message} />;
  }
  if (message.mediaType === 'unknown' || message.body === 'unknown')
    return <Unshown message={message} words={t('unknown')} />;
  return isBigEmoji(message) ? <BigEmoji message={message} /> : <Text message={message} />;
}

/** One message with what belongs to it: name, quote, reactions, reason of a failure. */
export function MessageRow(props: MessageRowProps) {
  const { message, first, item, highlighted, handlers } = props;
  const { t } = useTranslation('messages');
  const author = useAuthor()(message);
  const out = message.fromMe;
  const failed = out && message.ack < 0;
  // Only what the provider knows can be quoted; what the contact wrote it always knows.
  const isKnown = !out || message.ack > 0;
  const bare =
    !message.isDeleted &&
    !message.quotedMsg &&
    (message.mediaType === 'sticker' ||
      (message.mediaType === 'conversation' && isBigEmoji(message)));
  const tight = !message.isDeleted && TIGHT.has(message.mediaType);
  const { quotedMsg, participant } = message;
  return (
    <chakra.div
      // A tap on a touch screen brings out the actions as hovering does.
      tabIndex={-1}
      className="group"
      role="group"
      aria-label={out ? t('fromUs', { name: author }) : author}
      outline="none"
      display="flex"
      flexDirection="column"
      alignItems={out ? 'flex-end' : 'flex-start'}
      pt={first ? '2' : '0.5'}
      css={{
        '& .row-actions': { opacity: 0 },
        '&:hover .row-actions, &:focus-within .row-actions': { opacity: 1 },
      }}
    >
      <chakra.div
        display="flex"
        flexDirection={out ? 'row-reverse' : 'row'}
        alignItems="center"
        gap="1.5"
        w="full"
        minW="0"
      >
        <chakra.div
          minW="0"
          maxW="min(65ch, 82%)"
          borderRadius="lg"
          transition="box-shadow"
          transitionDuration="slow"
          {...(highlighted && { boxShadow: '0 0 0 3px {colors.brand.border}' })}
        >
          <Bubble out={out} first={first} failed={failed} tight={tight} bare={bare}>
            {handlers.isGroup && !out && participant && first && (
              <GroupName name={participant.name} inset={tight} />
            )}
            {quotedMsg && (
              <chakra.div mb="1" mx={tight ? '0' : '-1.5'}>
                <Quote
                  quoted={quotedMsg}
                  onJump={
                    handlers.isLoaded(quotedMsg.id)
                      ? () => handlers.onJump(quotedMsg.id)
                      : undefined
                  }
                />
              </chakra.div>
            )}
            <Content message={message} item={item} handlers={handlers} />
          </Bubble>
        </chakra.div>
        {!item && handlers.canWrite && !message.isDeleted && isKnown && (
          <chakra.div
            className="row-actions"
            flexShrink="0"
            transition="opacity"
            transitionDuration="fast"
          >
            <IconButton
              label={t('reply')}
              icon={<Reply size={16} />}
              size="sm"
              bg="bg.raised"
              boxShadow="popover"
              onClick={() => handlers.onReply(message)}
            />
          </chakra.div>
        )}
      </chakra.div>
      {message.reactions.length > 0 && <Reactions message={message} />}
      {failed &&
        (item ? (
          <LocalFailure item={item} />
        ) : (
          <Failure message={message} ticketId={handlers.ticketId} canResend={handlers.canWrite} />
        ))}
    </chakra.div>
  );
}

function GroupName({ name, inset }: { name: string; inset: boolean }) {
  return (
    <chakra.div
      textStyle="sm"
      fontWeight="semibold"
      px={inset ? '2' : '0'}
      truncate
      color="hsl(var(--hue) 60% 32%)"
      _dark={{ color: 'hsl(var(--hue) 55% 74%)' }}
      style={{ '--hue': avatarHue(name) } as React.CSSProperties}
    >
      {name}
    </chakra.div>
  );
}

function Reactions({ message: { reactions } }: { message: Message }) {
  const { t } = useTranslation('messages');
  const counts = new Map<string, string[]>();
  for (const { emoji, fromMe, name } of reactions)
    counts.set(emoji, [...(counts.get(emoji) ?? []), name || (fromMe ? t('us') : '')]);
  return (
    <chakra.ul
      aria-label={t('reactions')}
      display="flex"
      gap="1"
      mt="-1"
      mx="2"
      position="relative"
      listStyleType="none"
    >
      {[...counts].map(([emoji, names]) => (
        <chakra.li
          key={emoji}
          title={names.filter(Boolean).join(', ')}
          px="1.5"
          h="6"
          display="inline-flex"
          alignItems="center"
          gap="1"
          borderRadius="full"
          borderWidth="1px"
          bg="bg.raised"
          textStyle="xs"
          fontVariantNumeric="tabular-nums"
        >
          <chakra.span textStyle="md">{emoji}</chakra.span>
          {names.length > 1 && names.length}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

const Action = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    flexShrink: 0,
    fontWeight: 'semibold',
    color: 'brand.fg',
    cursor: 'pointer',
    borderRadius: 'xs',
    minH: '6',
    _hover: { textDecoration: 'underline' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '1px' },
    _disabled: { opacity: 0.5, cursor: 'not-allowed' },
  },
});

function FailureLine({ reason, children }: { reason: string; children: ReactNode }) {
  const { t } = useTranslation('messages');
  return (
    <chakra.div
      role="status"
      display="flex"
      flexWrap="wrap"
      justifyContent="flex-end"
      alignItems="center"
      columnGap="2.5"
      mt="1"
      maxW="full"
      textStyle="xs"
      color="status.danger.fg"
    >
      <chakra.span display="inline-flex" alignItems="center" gap="1.5" overflowWrap="anywhere">
        <chakra.span flexShrink="0" display="flex">
          <CircleAlert size={16} aria-hidden />
        </chakra.span>
        {reason ? t('notSentBecause', { reason }) : t('notSent')}
      </chakra.span>
      {children}
    </chakra.div>
  );
}

/** The provider refused it (rules §6.1): the reason, and another try in place. */
function Failure(props: { message: Message; ticketId: number; canResend: boolean }) {
  const { message, ticketId, canResend } = props;
  const { t } = useTranslation('messages');
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      const sent = await resendMessage(message.id);
      changeConversation(client, ticketId, (pages) => foldUpdated(pages, sent));
    } catch (error) {
      toast.error(error);
    }
    setBusy(false);
  };
  return (
    <FailureLine reason={message.errorReason}>
      {canResend && (
        <Action type="button" disabled={busy} onClick={() => void resend()}>
          <RotateCw size={16} aria-hidden />
          {t('resend')}
        </Action>
      )}
    </FailureLine>
  );
}

/** It never reached the server: the reason, another try, or giving up. */
function LocalFailure({ item }: { item: OutboxItem }) {
  const { t } = useTranslation('messages');
  const reason = item.code === INTERRUPTED ? t('outbox.interrupted') : item.reason;
  return (
    <FailureLine reason={reason}>
      <Action type="button" onClick={() => resendItem(item.clientId)}>
        <RotateCw size={16} aria-hidden />
        {t('resend')}
      </Action>
      <Action type="button" color="fg.muted" onClick={() => removeItem(item.clientId)}>
        <Trash2 size={16} aria-hidden />
        {t('outbox.discard')}
      </Action>
    </FailureLine>
  );
}
