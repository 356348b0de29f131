import { chakra } from '@chakra-ui/react';
import { ChevronDown, Forward, Reply } from 'lucide-react';
import { memo, useRef, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Bubble } from '@/components/Bubble';
import { IconButton } from '@/components/IconButton';
import { SenderName } from '@/components/SenderName';
import { useSession } from '@/stores/session';
import { unsignedBody } from './composer/signing';
import { Audio } from './content/Audio';
import { ReferralCard } from './content/ReferralCard';
import { CallContent, DocumentContent, LocationContent, NoContent } from './content/Cards';
import { ContactCards, type CardActions } from './content/ContactCards';
import { Interactive } from './content/Interactive';
import { ImageContent, StickerContent, VideoContent } from './content/Media';
import { FormContent } from './content/Form';
import { PollContent } from './content/Poll';
import { TemplateMessage } from './content/Template';
import { BigEmoji, isBigEmoji, Text } from './content/Text';
import { ChangeFailure, Failure, OutboxFailure } from './Failure';
import type { OutboxItem } from './outbox';
import { formOf, isForwarded, pollOf, referralOf } from './parse';
import { Quote, useAuthor } from './Quote';
import { Reactions } from './Reactions';
import { SourceLabel } from './SourceLabel';
import { isAutomatic } from './sources';
import type { Message } from './types';

/** The position at which a message's menu opens. */
export interface MenuAnchor {
  row: HTMLElement;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface RowHandlers extends CardActions {
  ticketId: number;
  canWrite: boolean;
  /** Templates can also be sent while the window is closed to free text. */
  canSendTemplates: boolean;
  /** Opens the templates with a text at hand, while the window is closed. */
  onTemplates?: ((text: string) => void) | undefined;
  /** Whether sender names are shown above the bubbles. */
  isGroup: boolean;
  onReply: (message: Message) => void;
  onJump: (messageId: number) => void;
  onOpenMedia: (messageId: number) => void;
  /** Omitted in a preview. */
  onMenu?: ((message: Message, anchor: MenuAnchor) => void) | undefined;
  onReact?: ((message: Message, emoji: string) => void) | undefined;
}

interface MessageRowProps {
  message: Message;
  first: boolean;
  /** Shows the signature with which the text begins. */
  signs: boolean;
  /** Set for a message that the server has not stored yet. */
  item?: OutboxItem;
  highlighted: boolean;
  handlers: RowHandlers;
}

const TIGHT = new Set(['image', 'video', 'audio', 'application', 'vcard', 'locationMessage']);

function BubbleContent({
  message,
  item,
  handlers,
}: Omit<MessageRowProps, 'first' | 'signs' | 'highlighted'>) {
  const { t } = useTranslation('messages');
  if (message.isDeleted) return <NoContent message={message} words={t('deleted')} />;
  switch (message.mediaType) {
    case 'image':
      return (
        <ImageContent
          message={message}
          item={item}
          onOpen={() => handlers.onOpenMedia(message.id)}
        />
      );
    case 'sticker':
      return <StickerContent message={message} />;
    case 'video':
      return (
        <VideoContent
          message={message}
          item={item}
          onOpen={() => handlers.onOpenMedia(message.id)}
        />
      );
    case 'audio':
      return <Audio key={message.id} message={message} item={item} />;
    case 'application':
      return <DocumentContent message={message} item={item} />;
    case 'vcard':
      return <ContactCards message={message} actions={handlers} />;
    case 'locationMessage':
      return <LocationContent message={message} />;
    case 'interactive_list':
      return <Interactive message={message} />;
    case 'template':
      return <TemplateMessage message={message} />;
    case 'call_log':
      return <CallContent message={message} />;
  }
  if (message.mediaType === 'unknown' || message.body === 'unknown')
    return <NoContent message={message} words={t('unknown')} />;
  const poll = pollOf(message.dataJson);
  if (poll) return <PollContent message={message} poll={poll} />;
  const form = formOf(message.dataJson);
  if (form) return <FormContent message={message} lines={form} />;
  return isBigEmoji(message) ? <BigEmoji message={message} /> : <Text message={message} />;
}

/** A touch of this length opens the menu. */
const LONG_PRESS_MS = 450;
const PRESS_SLACK_PX = 8;

/**
 * Opens the menu by right-click and long press; links, fields and selected text keep the browser's
 * own menu.
 */
function useMenuGestures(open: ((anchor: MenuAnchor) => void) | undefined) {
  const press = useRef<{ timer: number; x: number; y: number } | null>(null);
  if (!open) return {};
  const end = () => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  return {
    onContextMenu: (event: React.MouseEvent<HTMLElement>) => {
      const { target, currentTarget: row, clientX: x, clientY: y } = event;
      const keeps = target instanceof Element && target.closest('a, input, video, audio');
      if (keeps || getSelection()?.toString()) return;
      event.preventDefault();
      end();
      open({ row, x, y, width: 0, height: 0 });
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'touch') return;
      const { currentTarget: row, clientX: x, clientY: y } = event;
      const timer = window.setTimeout(
        () => open({ row, x, y, width: 0, height: 0 }),
        LONG_PRESS_MS,
      );
      press.current = { timer, x, y };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { x, y } = press.current ?? event.nativeEvent;
      if (Math.hypot(event.clientX - x, event.clientY - y) > PRESS_SLACK_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

/** One message with its sender name, quote, reactions, and failure reason. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, first, signs, item, highlighted, handlers } = props;
  // A message that is not stored yet is the user's own.
  const ownName = useSession(({ user }) => user?.name ?? null);
  const userName = item ? ownName : message.userName;
  // A bubble of its group above has shown the sender.
  const shown = signs ? message : { ...message, body: unsignedBody({ ...message, userName }) };
  const { t } = useTranslation('messages');
  const author = useAuthor()(message);
  const out = message.fromMe;
  const failed = out && message.ack < 0;
  // Only a message that the provider knows can be quoted; it always knows the contact's messages.
  const isKnown = !message.isDeleted && (!out || message.ack > 0);
  const bare =
    !message.isDeleted &&
    !message.quotedMsg &&
    (message.mediaType === 'sticker' ||
      (message.mediaType === 'conversation' && isBigEmoji(shown)));
  const tight = !message.isDeleted && TIGHT.has(message.mediaType);
  const { quotedMsg, participant } = message;
  const referral = referralOf(message.dataJson);
  const { onMenu } = handlers;
  const openMenu = item || !onMenu ? undefined : (anchor: MenuAnchor) => onMenu(message, anchor);
  const gestures = useMenuGestures(openMenu);
  return (
    <chakra.div
      // Focusable: a tap shows the actions as hovering does, and arrow keys move between messages.
      tabIndex={-1}
      data-message={message.id || undefined}
      className="group"
      role="group"
      aria-label={out ? t('fromUs', { name: author }) : author}
      outline="none"
      borderRadius="md"
      display="flex"
      flexDirection="column"
      alignItems={out ? 'flex-end' : 'flex-start'}
      pt={first ? '2' : '0.5'}
      css={{
        '& .row-actions': { opacity: 0 },
        '&:hover .row-actions, &:focus-within .row-actions': { opacity: 1 },
        '&:focus-visible .bubble': { boxShadow: '0 0 0 2px {colors.brand.fg}' },
        '@media (pointer: coarse)': { userSelect: 'none', WebkitTouchCallout: 'none' },
      }}
      {...gestures}
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
          className="bubble"
          minW="0"
          maxW="min(65ch, 82%)"
          borderRadius="lg"
          transition="box-shadow"
          transitionDuration="slow"
          {...(highlighted && { boxShadow: '0 0 0 3px {colors.brand.border}' })}
        >
          <Bubble out={out} first={first} failed={failed} tight={tight} bare={bare}>
            {handlers.isGroup && !out && participant && first && (
              <SenderName name={participant.name} inset={tight} />
            )}
            {out && first && !bare && isAutomatic(message.source) && (
              <SourceLabel source={message.source} inset={tight} />
            )}
            {!message.isDeleted && isForwarded(message.dataJson) && (
              <chakra.div
                display="flex"
                alignItems="center"
                gap="1"
                px={tight ? '2' : '0'}
                textStyle="xs"
                fontStyle="italic"
                color={out && !failed ? 'bubble.out.meta' : 'fg.muted'}
              >
                <Forward size={14} aria-hidden />
                {t('conversation:forwarded')}
              </chakra.div>
            )}
            {!message.isDeleted && referral && <ReferralCard referral={referral} />}
            {quotedMsg && (
              <chakra.div mb="1" mx={tight ? '0' : '-1.5'}>
                <Quote quoted={quotedMsg} onJump={() => handlers.onJump(quotedMsg.id)} />
              </chakra.div>
            )}
            <BubbleContent message={shown} item={item} handlers={handlers} />
          </Bubble>
        </chakra.div>
        {openMenu && (
          <chakra.div
            className="row-actions"
            display="flex"
            flexDirection={out ? 'row-reverse' : 'row'}
            gap="1"
            flexShrink="0"
            transition="opacity"
            transitionDuration="fast"
          >
            {handlers.canWrite && isKnown && (
              <IconButton
                label={t('reply')}
                icon={<Reply size={16} />}
                size="sm"
                bg="bg.raised"
                boxShadow="popover"
                onClick={() => handlers.onReply(message)}
              />
            )}
            <IconButton
              data-options
              label={t('conversation:menu.label')}
              icon={<ChevronDown size={16} />}
              aria-haspopup="menu"
              size="sm"
              bg="bg.raised"
              boxShadow="popover"
              onClick={({ currentTarget }) => {
                const row = currentTarget.closest<HTMLElement>('[data-message]');
                const { x, y, width, height } = currentTarget.getBoundingClientRect();
                if (row) openMenu({ row, x, y, width, height });
              }}
            />
          </chakra.div>
        )}
      </chakra.div>
      {message.reactions.length > 0 && !message.isDeleted && (
        <Reactions message={message} onReact={isKnown ? handlers.onReact : undefined} />
      )}
      {item ? (
        <OutboxFailure item={item} onTemplates={handlers.onTemplates} />
      ) : failed ? (
        <Failure
          message={message}
          ticketId={handlers.ticketId}
          onTemplates={handlers.onTemplates}
          canResend={
            message.source !== 'other' &&
            (handlers.canWrite || (handlers.canSendTemplates && message.mediaType === 'template'))
          }
        />
      ) : (
        message.errorCode && <ChangeFailure message={message} />
      )}
    </chakra.div>
  );
});
