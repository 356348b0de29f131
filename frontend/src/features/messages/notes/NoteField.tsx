import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { StickyNote } from 'lucide-react';
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { queuesQuery } from '@/features/queues/api';
import type { Ticket } from '@/features/tickets/api';
import { userOptionsQuery } from '@/features/users/api';
import { newClientId } from '@/lib/clientId';
import { isTouch } from '@/lib/useMedia';
import { useCurrentUser } from '@/stores/session';
import { useWriteNote } from '../api';
import type { ComposerHandle } from '../Composer';
import type { NoteName } from '../types';
import { noteOf, useNote, writeNote } from './drafts';
import { LIST_ID, MentionPicker, optionId } from './MentionPicker';
import { MAX_NAMED, namedIn, namesFor, offeredFor, termAt } from './mentions';

/** The server's length limit (rules/tickets §16). */
const MAX_NOTE = 4096;
const isApple = /Mac|iP/.test(navigator.userAgent);

interface NoteFieldProps {
  ref?: Ref<ComposerHandle>;
  ticket: Pick<Ticket, 'id' | 'userId' | 'queueId'>;
  /** Escape in the field, and after the note was saved. */
  onClose: () => void;
}

/**
 * A note for the team. Nothing of it is the composer's: it has another colour, another button and
 * another key, so that it is not sent by a slip (rules/screens §4).
 */
export function NoteField({ ref, ticket, onClose }: NoteFieldProps) {
  const { t } = useTranslation('messages');
  const user = useCurrentUser();
  const input = useRef<HTMLTextAreaElement>(null);
  const text = useNote(user.id, ticket.id);
  const setText = (next: string) => writeNote(user.id, ticket.id, next);
  const [chosen, setChosen] = useState<NoteName[]>([]);
  const [caret, setCaret] = useState(0);
  /** The place to set the caret after a name was put in. */
  const placed = useRef<number | null>(null);
  /** The beginning of a name for which Escape closed the list. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [marked, setMarked] = useState(0);
  const write = useWriteNote(user.id, ticket.id);
  /** The text that was last sent, and its id. */
  const tried = useRef<{ text: string; clientId: string } | null>(null);
  const users = useQuery(userOptionsQuery());
  const queues = useQuery(queuesQuery());

  const allRead = user.company.settings.some(
    ({ key, value }) => key === 'allowToSpyMessage' && value === 'enabled',
  );
  const names = namesFor(ticket, users.data ?? [], queues.data ?? [], allRead, user.id);
  const typed = termAt(text, caret);
  const offered = typed && typed.start !== closedAt ? offeredFor(names, typed.term) : [];
  const active = offered[Math.min(marked, offered.length - 1)];
  const excess = text.trim().length - MAX_NOTE;
  const named = namedIn(text, names, chosen);
  const canSave = text.trim() !== '' && excess <= 0 && named.length <= MAX_NAMED;

  const focus = () => input.current?.focus({ preventScroll: true });
  useImperativeHandle(ref, () => ({ focus }));
  useEffect(() => {
    const { length } = input.current?.value ?? '';
    focus();
    input.current?.setSelectionRange(length, length);
  }, []);
  useLayoutEffect(() => {
    if (placed.current === null) return;
    input.current?.setSelectionRange(placed.current, placed.current);
    placed.current = null;
  }, [text]);

  const change = (next: string) => {
    setText(next);
    setMarked(0);
    if (typed === null) setClosedAt(null);
  };
  const choose = (name: NoteName) => {
    if (!typed) return;
    const before = `${text.slice(0, typed.start)}@${name.name} `;
    placed.current = before.length;
    setCaret(before.length);
    setMarked(0);
    // Enter breaks the line again.
    setClosedAt(typed.start);
    setChosen([...chosen, name]);
    setText(before + text.slice(caret));
    focus();
  };
  const save = () => {
    if (!canSave || write.isPending) return;
    const ids = (kind: NoteName['kind']) =>
      named.filter((each) => each.kind === kind).map(({ id }) => id);
    // Saved again because the answer was lost, it is the same note.
    if (tried.current?.text !== text) tried.current = { text, clientId: newClientId() };
    write.mutate(
      {
        text,
        userIds: ids('user'),
        queueIds: ids('queue'),
        clientId: tried.current.clientId,
      },
      {
        onSuccess: () => {
          tried.current = null;
          // What was typed meanwhile is still there.
          if (noteOf(user.id, ticket.id)?.text) return;
          setChosen([]);
          onClose();
        },
      },
    );
  };
  /** Returns whether the list of names handled the key. */
  const inList = (event: KeyboardEvent) => {
    if (!active || event.nativeEvent.isComposing) return false;
    if (event.key === 'ArrowDown') setMarked((marked + 1) % offered.length);
    else if (event.key === 'ArrowUp') setMarked((marked + offered.length - 1) % offered.length);
    else if ((event.key === 'Enter' && !event.altKey) || event.key === 'Tab') choose(active);
    else if (event.key === 'Escape') setClosedAt(typed?.start ?? null);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (inList(event)) return;
    if (event.key === 'Enter' && event.altKey && !event.repeat) {
      event.preventDefault();
      save();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // In the message's field it sends and resolves.
      event.preventDefault();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
  };

  return (
    <chakra.form
      aria-label={t('note.label')}
      position="relative"
      borderWidth="1px"
      borderColor="status.waiting.solid"
      borderRadius="lg"
      bg="status.waiting.subtle"
      css={{ '&:has(textarea:focus-visible)': { boxShadow: 'focus' } }}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {active && (
        <MentionPicker names={offered} activeKey={active} onChoose={choose} onMark={setMarked} />
      )}
      <chakra.textarea
        ref={input}
        aria-label={t('note.input')}
        aria-describedby={`note-hint-${ticket.id}`}
        aria-autocomplete="list"
        aria-controls={active && LIST_ID}
        aria-activedescendant={active && optionId(active)}
        rows={3}
        value={text}
        placeholder={t('note.placeholder')}
        enterKeyHint="enter"
        onChange={(event) => {
          change(event.target.value);
          setCaret(event.target.selectionStart);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        // Grows from three rows.
        css={{ fieldSizing: 'content' }}
        display="block"
        w="full"
        minH="76px"
        maxH="min(216px, 35dvh)"
        px="4"
        pt="3"
        pb="1"
        resize="none"
        outline="none"
        bg="transparent"
        // Below 16 px a phone zooms in.
        fontSize={{ base: '16px', sm: 'md' }}
        lineHeight="20px"
        _placeholder={{ color: 'fg.muted', opacity: 1 }}
      />
      <chakra.div display="flex" alignItems="center" gap="3" ps="4" pe="2" pb="2">
        <chakra.p
          id={`note-hint-${ticket.id}`}
          flex="1"
          minW="0"
          textStyle="xs"
          color="status.waiting.fg"
        >
          {excess > 0
            ? t('composer.tooLong', { count: excess })
            : named.length > MAX_NAMED
              ? t('note.tooMany', { count: MAX_NAMED })
              : isTouch()
                ? t('note.hintTouch')
                : t('note.hint', { key: isApple ? '⌥ Enter' : 'Alt Enter' })}
        </chakra.p>
        <Button
          type="submit"
          size="sm"
          icon={<StickyNote size={16} />}
          loading={write.isPending}
          disabled={!canSave}
          bg="status.waiting.solid"
          color="status.waiting.on"
          _hover={{ bg: 'status.waiting.solid', filter: 'brightness(0.95)' }}
        >
          {t('note.save')}
        </Button>
      </chakra.div>
    </chakra.form>
  );
}
