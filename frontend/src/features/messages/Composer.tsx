import { chakra } from '@chakra-ui/react';
import { Paperclip, SendHorizontal, Smile, X } from 'lucide-react';
import {
  lazy,
  Suspense,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Popover } from '@/components/Popover';
import { Switch } from '@/components/Toggle';
import { useCurrentUser } from '@/stores/session';
import type { Message } from './api';
import { AttachmentStrip } from './AttachmentStrip';
import type { useAttachments } from './attachments';
import { readDraft, writeDraft } from './drafts';
import { send } from './outbox';
import { Quote } from './Quote';

const EmojiPanel = lazy(() => import('./EmojiPanel'));

const SIGN_KEY = 'signOption';
/** The server's limit of a text, signature included. */
const MAX_LENGTH = 4096;
const LINE_PX = 20;
const MAX_ROWS = 5;

const isTouch = () => window.matchMedia('(pointer: coarse)').matches;

/** The text as it is sent: the name in bold before it when signing is on (specification 2 §9). */
export const signed = (text: string, name: string | null) =>
  name === null ? text : `*${name}:*\n${text}`;

export interface ComposerHandle {
  focus: () => void;
}

interface ComposerProps {
  ref?: Ref<ComposerHandle>;
  ticketId: number;
  files: ReturnType<typeof useAttachments>;
  replyTo: Message | null;
  onReplyEnd: () => void;
  onSent: () => void;
}

/** Where messages are written. */
export function Composer(props: ComposerProps) {
  const { ref, ticketId, files, replyTo, onReplyEnd, onSent } = props;
  const { t } = useTranslation('messages');
  const user = useCurrentUser();
  const input = useRef<HTMLTextAreaElement>(null);
  /** Where to go on writing after an emoji was put in. */
  const caret = useRef<number | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => readDraft(user.id, ticketId));
  const [signing, setSigning] = useState(() => localStorage.getItem(SIGN_KEY) !== 'false');
  const [emojiOpen, setEmojiOpen] = useState(false);

  const words = text.trim();
  const body = words ? signed(words, signing ? user.name : null) : '';
  const excess = body.length - MAX_LENGTH;
  const canSend = (words !== '' || files.attachments.length > 0) && excess <= 0;

  const focus = () => input.current?.focus({ preventScroll: true });
  useImperativeHandle(ref, () => ({ focus }));
  useEffect(() => {
    // On a touch screen the keyboard would cover the conversation that was just opened.
    if (!isTouch()) focus();
  }, []);
  useEffect(() => {
    if (replyTo) focus();
  }, [replyTo]);

  useLayoutEffect(() => {
    const element = input.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, MAX_ROWS * LINE_PX)}px`;
    if (caret.current === null) return;
    element.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [text]);

  const write = (value: string) => {
    setText(value);
    writeDraft(user.id, ticketId, value);
  };

  const submit = () => {
    if (!canSend) return;
    const sent = files.take();
    if (sent.length === 0) {
      send({ ticketId, body, quoted: replyTo, file: null });
    } else {
      // The caption and the quote go with the first of them, as on the phone.
      sent.forEach((file, index) =>
        send({
          ticketId,
          body: index === 0 ? body : '',
          quoted: index === 0 ? replyTo : null,
          file,
        }),
      );
    }
    write('');
    onReplyEnd();
    onSent();
    focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && replyTo) {
      event.preventDefault();
      onReplyEnd();
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    files.add(pasted);
  };

  const insert = (emoji: string) => {
    const element = input.current;
    const start = element?.selectionStart ?? text.length;
    const end = element?.selectionEnd ?? text.length;
    write(text.slice(0, start) + emoji + text.slice(end));
    caret.current = start + emoji.length;
    setEmojiOpen(false);
  };

  return (
    <chakra.form
      aria-label={t('composer.label')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border.control"
      borderRadius="lg"
      transition="border-color, box-shadow"
      transitionDuration="fast"
      css={{
        '&:has(textarea:focus-visible)': {
          borderColor: 'brand.fg',
          boxShadow: 'focus',
        },
      }}
    >
      {replyTo && (
        <chakra.div display="flex" alignItems="center" gap="1" ps="2" pe="1" pt="2">
          <Quote quoted={replyTo} />
          <IconButton
            label={t('composer.cancelReply')}
            icon={<X size={20} />}
            size="sm"
            onClick={() => {
              onReplyEnd();
              focus();
            }}
          />
        </chakra.div>
      )}
      {files.attachments.length > 0 && (
        <AttachmentStrip
          attachments={files.attachments}
          onRemove={(id) => {
            files.remove(id);
            focus();
          }}
        />
      )}
      <chakra.div px="4" pt="3" pb="1">
        <chakra.textarea
          ref={input}
          aria-label={t('composer.input')}
          placeholder={
            files.attachments.length > 0 ? t('composer.caption') : t('composer.placeholder')
          }
          rows={1}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          display="block"
          w="full"
          resize="none"
          outline="none"
          bg="transparent"
          // 16 px keep a phone from zooming in.
          fontSize={{ base: '16px', sm: 'md' }}
          lineHeight={`${LINE_PX}px`}
          overflowY="auto"
          _placeholder={{ color: 'fg.subtle', opacity: 1 }}
        />
      </chakra.div>
      <chakra.div display="flex" alignItems="center" gap="1" ps="2" pe="2" pb="2">
        <Popover
          trigger={<IconButton label={t('composer.emoji')} icon={<Smile size={20} />} size="sm" />}
          placement="top-start"
          width="min(340px, calc(100vw - 32px))"
          open={emojiOpen}
          onOpenChange={setEmojiOpen}
          finalFocus={() => input.current}
        >
          <Suspense
            fallback={
              <chakra.div h="360px" display="flex" alignItems="center" justifyContent="center">
                <Spinner size={20} />
              </chakra.div>
            }
          >
            <EmojiPanel onPick={insert} />
          </Suspense>
        </Popover>
        <IconButton
          label={t('composer.attach')}
          icon={<Paperclip size={20} />}
          size="sm"
          onClick={() => picker.current?.click()}
        />
        <chakra.input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-hidden
          tabIndex={-1}
          data-testid="file-input"
          onChange={(event) => {
            files.add([...(event.target.files ?? [])]);
            // The same file may be chosen again.
            event.target.value = '';
            focus();
          }}
        />
        <chakra.div flex="1" />
        {excess > 0 && (
          <chakra.span role="alert" textStyle="xs" color="status.danger.fg">
            {t('composer.tooLong', { count: excess })}
          </chakra.span>
        )}
        <chakra.span textStyle="sm" color="fg.muted" me="2">
          <Switch
            checked={signing}
            onChange={(checked) => {
              setSigning(checked);
              localStorage.setItem(SIGN_KEY, String(checked));
              focus();
            }}
            label={t('composer.sign')}
            labelFirst
          />
        </chakra.span>
        <IconButton
          type="submit"
          label={t('composer.send')}
          icon={<SendHorizontal size={20} />}
          variant={canSend ? 'solid' : 'ghost'}
          size="sm"
          disabled={!canSend}
        />
      </chakra.div>
    </chakra.form>
  );
}
