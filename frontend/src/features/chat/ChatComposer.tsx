import { chakra } from '@chakra-ui/react';
import { FileText, Paperclip, SendHorizontal, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { EmojiButton } from '@/components/EmojiButton';
import { IconButton } from '@/components/IconButton';
import { formatBytes } from '@/lib/format';
import { isTouch } from '@/lib/useMedia';
import { useCurrentUser } from '@/stores/session';
import { readDraft, writeDraft } from './drafts';
import { send } from './outbox';
import type { WaitingFile, WaitingFiles } from './useFiles';

const MAX_TEXT = 4096;
/** Five lines; a longer text scrolls. */
const MAX_HEIGHT = 124;

/**
 * The input of a chat: Enter sends and Shift-Enter breaks the line; on a touch screen Enter breaks
 * it and the button sends. Unsent text survives a reload.
 */
export function ChatComposer({ chatId, files }: { chatId: number; files: WaitingFiles }) {
  const { t } = useTranslation('chat');
  const { id: userId } = useCurrentUser();
  const [text, setText] = useState(() => readDraft(userId, chatId));
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  const excess = text.trim().length - MAX_TEXT;
  const canSend = (text.trim() !== '' || files.files.length > 0) && excess <= 0;

  useEffect(() => writeDraft(userId, chatId, text), [userId, chatId, text]);
  useEffect(() => {
    // On a touch screen the keyboard would cover the chat that was just opened.
    if (isTouch()) return;
    input.current?.focus({ preventScroll: true });
    input.current?.setSelectionRange(MAX_TEXT * 2, MAX_TEXT * 2);
  }, []);
  useLayoutEffect(() => {
    const element = input.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT)}px`;
    if (caret.current === null) return;
    element.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [text]);

  const focus = () => input.current?.focus({ preventScroll: true });
  const insert = (emoji: string) => {
    const start = input.current?.selectionStart ?? text.length;
    const end = input.current?.selectionEnd ?? text.length;
    caret.current = start + emoji.length;
    setText(text.slice(0, start) + emoji + text.slice(end));
  };
  const submit = () => {
    if (!canSend) return;
    const [first, ...rest] = files.files;
    send(chatId, text.trim(), first?.file ?? null);
    rest.forEach(({ file }) => send(chatId, '', file));
    files.clear();
    setText('');
    focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (isTouch() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    submit();
  };

  return (
    <chakra.div px={{ base: '3', sm: '4' }} pb={{ base: '3', sm: '4' }} pt="2" bg="bg.thread">
      {files.refusals.map((refusal) => (
        <chakra.p key={refusal} role="alert" textStyle="xs" color="status.danger.fg" pb="1">
          {refusal}
        </chakra.p>
      ))}
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
        css={{ '&:has(textarea:focus-visible)': { borderColor: 'brand.fg', boxShadow: 'focus' } }}
      >
        {files.files.length > 0 && (
          <chakra.ul
            aria-label={t('composer.files')}
            display="flex"
            gap="2"
            overflowX="auto"
            px="3"
            pt="3"
            listStyleType="none"
          >
            {files.files.map((file) => (
              <Waiting
                key={file.id}
                waiting={file}
                onRemove={() => {
                  files.remove(file.id);
                  focus();
                }}
              />
            ))}
          </chakra.ul>
        )}
        <chakra.textarea
          ref={input}
          aria-label={t('composer.input')}
          placeholder={t(files.files.length > 0 ? 'composer.caption' : 'composer.placeholder')}
          enterKeyHint={isTouch() ? 'enter' : 'send'}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files];
            if (pasted.length === 0) return;
            event.preventDefault();
            files.add(pasted);
          }}
          display="block"
          w="full"
          minH={{ base: '11', md: '9' }}
          px="4"
          pt="3"
          pb="1"
          resize="none"
          outline="none"
          bg="transparent"
          // Below 16 px a phone zooms in.
          fontSize={{ base: '16px', sm: 'md' }}
          lineHeight="20px"
          overflowY="auto"
          _placeholder={{ color: 'fg.subtle', opacity: 1 }}
        />
        <chakra.div display="flex" alignItems="center" gap="1" px="2" pb="2">
          <EmojiButton
            label={t('composer.emoji')}
            onPick={insert}
            finalFocus={() => input.current}
          />
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
            onChange={(event) => {
              files.add([...(event.target.files ?? [])]);
              // Allows choosing the same file again.
              event.target.value = '';
              focus();
            }}
          />
          <chakra.span flex="1" textAlign="end" textStyle="xs" color="status.danger.fg">
            {excess > 0 && <span role="alert">{t('composer.tooLong', { count: excess })}</span>}
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
    </chakra.div>
  );
}

function Waiting({ waiting, onRemove }: { waiting: WaitingFile; onRemove: () => void }) {
  const { t } = useTranslation('chat');
  const { file, previewUrl } = waiting;
  return (
    <chakra.li
      display="flex"
      alignItems="center"
      gap="2"
      flexShrink="0"
      maxW="240px"
      ps="2"
      borderWidth="1px"
      borderColor="border.strong"
      borderRadius="md"
      bg="bg.subtle"
    >
      {previewUrl ? (
        <chakra.img src={previewUrl} alt="" w="9" h="9" objectFit="cover" borderRadius="sm" />
      ) : (
        <chakra.span display="flex" flexShrink="0" color="fg.muted">
          <FileText size={20} aria-hidden />
        </chakra.span>
      )}
      <chakra.span flex="1" minW="0">
        <chakra.span display="block" textStyle="sm" fontWeight="medium" truncate>
          {file.name}
        </chakra.span>
        <chakra.span display="block" textStyle="xs" color="fg.muted">
          {formatBytes(file.size)}
        </chakra.span>
      </chakra.span>
      <IconButton
        label={t('composer.remove', { name: file.name })}
        icon={<X size={16} />}
        size="sm"
        onClick={onRemove}
      />
    </chakra.li>
  );
}
