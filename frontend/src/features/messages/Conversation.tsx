import { chakra } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, type Location } from 'react-router';
import { DropHint, useDrop } from '@/components/DropZone';
import {
  isHandedOver,
  useTicketAction,
  type Ticket,
  type TicketAction,
} from '@/features/tickets/api';
import { isFocusLost } from '@/lib/focusLost';
import { ApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { isTouch } from '@/lib/useMedia';
import { beginsText } from '@/lib/useShortcuts';
import { useCurrentUser } from '@/stores/session';
import { actionsFor } from './actions';
import { editMessage } from './api';
import { changeConversation } from './cache';
import { Composer, type ComposerHandle } from './Composer';
import { isEmpty } from './composer/composition';
import { keptReply, useComposition } from './composer/useComposition';
import { ComposerNotice, Hints } from './ComposerNotice';
import type { CardActions } from './content/ContactCards';
import { ConversationHeader, type HeaderTools } from './ConversationHeader';
import type { RowKey } from './entries';
import { useConversationEvents, useReading } from './events';
import { foldUpdated } from './fold';
import { ComposeTabs } from './notes/ComposeTabs';
import { NoteField } from './notes/NoteField';
import { OthersContext, useOthers } from './OthersContext';
import { waitsFor, whenTaken } from './outbox';
import { OwnerBanner } from './OwnerBanner';
import { composerMode, maySnooze, mayTransfer, mayWrite, WINDOW_MS } from './rules';
import { SnoozeBanner } from './SnoozeBanner';
import { useWindowClock } from './templates/useWindowClock';
import { Thread } from './Thread';
import type { Message } from './types';
import { useCapabilities, useUtilityTexts } from './useCapabilities';
import { useAlone } from './useAlone';
import { useEntries } from './useEntries';
import { useSummary } from './useSummary';
import { useThread } from './useThread';
import { UtilityText } from './UtilityText';
import { WritersLine } from './WritersLine';

const ConversationSearch = lazy(() =>
  import('./ConversationSearch').then((file) => ({ default: file.ConversationSearch })),
);

const TemplateDialog = lazy(() =>
  import('./templates/TemplateDialog').then((module) => ({ default: module.TemplateDialog })),
);

export interface ConversationProps {
  ticket: Ticket;
  /** Returns to the list, if the list is not beside the conversation. */
  onBack?: () => void;
  onOpenContact?: () => void;
  /** The page's tools in the header: options, tags, the contact drawer. */
  tools?: HeaderTools;
  /**
   * Called after an action succeeded, with the ticket now, the ticket before, and the address at
   * which the action began.
   */
  onActed?: (ticket: Ticket, action: TicketAction, before: Ticket, from: string) => void;
  /** Called if the user's own ticket with the contact prevents reopening this one. */
  onOwnOther?: (other: Ticket) => void;
  /** The message or note at which the conversation opens. */
  focusKey?: RowKey | undefined;
  /** The page's actions for the numbers of a contact card. */
  cards?: CardActions;
  /** The messages scheduled for the contact, above the composer. */
  schedules?: ReactNode;
  /** What the writer must know about the contact, above the composer. */
  notice?: ReactNode;
  /** A preview: no actions, no composer, and nothing is marked as read. */
  readOnly?: boolean;
}

/**
 * The pane of a ticket: header, messages, composer. Memoised, so that one that is kept rendered
 * only has to be shown.
 */
export const Conversation = memo(function Conversation(props: ConversationProps) {
  // The key resets all state when another ticket is shown.
  return <Pane key={props.ticket.id} {...props} />;
});

const NO_CARDS: CardActions = {};

const latest = (times: (string | null | undefined)[]): number | null =>
  Math.max(0, ...times.map((time) => (time ? Date.parse(time) : 0))) || null;

/**
 * Calls `onWrite` when the user chose the open ticket once more in order to go on writing. A
 * component of its own, so that a new address does not render the pane.
 */
function GoOn({ onWrite }: { onWrite: () => void }) {
  const { key, state } = useLocation() as Location<{ writes?: boolean } | null>;
  const goOn = useEffectEvent(() => {
    if (state?.writes && !isTouch()) onWrite();
  });
  useEffect(() => goOn(), [key]);
  return null;
}

function Pane(props: ConversationProps) {
  const { ticket, onBack, onOpenContact, onActed, tools, readOnly = false } = props;
  const { t } = useTranslation(['messages', 'conversation']);
  const user = useCurrentUser();
  const summaryOf = useSummary();
  const composer = useRef<ComposerHandle>(null);
  const note = useRef<ComposerHandle>(null);
  const [isNoting, setIsNoting] = useState(false);
  const client = useQueryClient();
  const thread = useThread(ticket.id, props.focusKey, (error) =>
    error instanceof ApiError && error.status === 404
      ? toast.info(
          t(error.code === 'ERR_NO_NOTE_FOUND' ? 'conversation:lostNote' : 'conversation:lost'),
        )
      : toast.error(error),
  );
  const { messages, entries, outbox, endUnread } = useEntries(ticket, thread);
  const composing = useComposition(ticket.id);
  const [replyTo, setReplyTo] = useState<Message | null>(() => keptReply(user.id, ticket.id));
  const [editing, setEditing] = useState<Message | null>(null);
  // Null while the search is closed.
  const [searched, setSearched] = useState<string | null>(null);
  /** The text at hand while a template is chosen; null while none is. */
  const [choosing, setChoosing] = useState<string | null>(null);
  const [announced, setAnnounced] = useState('');
  useConversationEvents(ticket, (message) =>
    setAnnounced(
      t('announced', {
        name: (message.participant ?? message.contact).name,
        text: summaryOf(message),
      }),
    ),
  );
  useReading(
    ticket.id,
    !readOnly && ticket.userId === user.id && !thread.hasNewer,
    messages.at(-1),
    !readOnly && isHandedOver(ticket, user.id),
  );

  const pane = useRef<HTMLElement>(null);
  const focus = () => {
    const field = note.current ?? composer.current ?? pane.current;
    field?.focus({ preventScroll: true });
  };
  const endNote = () => setIsNoting(false);
  const wasNoting = useRef(false);
  useEffect(() => {
    // Only now: hidden, the composer takes no focus.
    if (wasNoting.current && !isNoting)
      (composer.current ?? pane.current)?.focus({ preventScroll: true });
    wasNoting.current = isNoting;
  }, [isNoting]);
  const { mutateAsync, isPending, variables } = useTicketAction(props.onOwnOther);
  const busy = isPending ? variables.action : null;
  /** Set at once, unlike `busy`: the next letter may be pressed before the page is drawn again. */
  const isAccepting = useRef(false);
  const run = (action: TicketAction) => {
    const from = window.location.href;
    isAccepting.current = action === 'accept';
    const acted = (changed: Ticket) => onActed?.(changed, action, ticket, from);
    const stay = () => {
      // A live event may arrive before the answer: a menu opened meanwhile keeps the focus.
      if (!document.activeElement?.closest('[role=menu], [role=dialog]')) focus();
    };
    mutateAsync({ ticket, action })
      .finally(() => {
        isAccepting.current = false;
      })
      .then((changed) => {
        acted(changed);
        if (action === 'accept' || action === 'reopen') stay();
        // The refusal has already been reported.
      }, stay);
  };
  /**
   * A accepts the waiting conversation. Other letters do nothing, on the whole page: the user may
   * believe to be writing. What is typed until the input is there is its text.
   */
  const onWaitingKey = (event: KeyboardEvent) => {
    const isSpace = event.key === ' ' && event.target === pane.current;
    if (!beginsText(event.nativeEvent) && !(isSpace && isAccepting.current)) return;
    event.preventDefault();
    if (isAccepting.current) composing.write(composing.shown + event.key);
    else if (event.key.toLowerCase() === 'a' && !event.repeat && !busy) run('accept');
  };
  /** N opens the note's tab: pressed outside of fields, where other letters begin a message. */
  const beginsNote = (event: KeyboardEvent) =>
    event.key.toLowerCase() === 'n' &&
    !(readOnly || isNoting || isAccepting.current) &&
    beginsText(event.nativeEvent);
  /** The last messages must have been sent: nothing is sent into a resolved ticket. */
  const resolveAfterSending = () =>
    void whenTaken(ticket.id).then((isTaken) => {
      if (isTaken) run('resolve');
      else if (waitsFor(ticket.id)) toast.info(t('outbox.notResolved'));
    });
  const canWrite = mayWrite(ticket, user);
  const refused = outbox.filter(({ code }) => code === 'ERR_OUTSIDE_24H_WINDOW');
  const lastInboundAt = latest([ticket.lastInboundAt]);
  const mode = composerMode(ticket, user, {
    provider: ticket.whatsapp?.provider,
    lastInboundAt,
    refusedAt: latest(refused.map(({ createdAt }) => createdAt)),
    now: useWindowClock(lastInboundAt && lastInboundAt + WINDOW_MS),
  });
  const isWriting = !readOnly && mode.kind === 'write';
  const isWaiting = !readOnly && mode.kind === 'accept';
  // The focused element may have been removed with the notice in the composer's place.
  useEffect(() => {
    if (!readOnly && isFocusLost()) pane.current?.focus({ preventScroll: true });
  }, [mode.kind, readOnly]);
  const drop = useDrop(isWriting && !isNoting, (dropped) => {
    composing.add(dropped);
    focus();
  });

  const endReply = useCallback(() => setReplyTo(null), []);
  const endEdit = useCallback(() => setEditing(null), []);
  const startReply = useCallback((message: Message) => {
    setEditing(null);
    setReplyTo(message);
  }, []);
  const startEdit = useCallback((message: Message) => {
    setReplyTo(null);
    setEditing(message);
  }, []);
  const saveEdit = (body: string) => {
    if (!editing) return;
    const store = (message: Message) =>
      changeConversation(client, ticket.id, (pages) => foldUpdated(pages, message));
    setEditing(null);
    focus();
    if (body === editing.body) return;
    // Shown at once; then the answer, or on failure the old text, replaces it.
    store({ ...editing, body, isEdited: true });
    editMessage(editing.id, body).then(store, (error: unknown) => {
      store(editing);
      toast.error(error);
    });
  };
  const capabilities = useCapabilities(ticket);
  const editLast = () => {
    const last = messages.findLast(({ fromMe, userId }) => fromMe && userId === user.id);
    const mine = { userId: user.id, isAdmin: false, forwards: false };
    const circumstances = { canWrite: isWriting, capabilities, ...mine, now: Date.now() };
    if (!last || !actionsFor(last, circumstances).edit) return false;
    startEdit(last);
    return true;
  };
  const { toNewest, hasNewer, jump } = thread;
  const onSent = () => {
    endUnread();
    // The user wants to see the message just sent.
    if (hasNewer) void toNewest();
  };
  const closeSearch = () => {
    setSearched(null);
    focus();
  };
  const openTemplates = useCallback((text = '') => setChoosing(text), []);
  const utilityTexts = useUtilityTexts(ticket);
  const others = useOthers(ticket.id);
  const { whenAlone, question } = useAlone(others.writers, () => {
    if (choosing === null) focus();
  });

  return (
    <chakra.section
      ref={pane}
      tabIndex={-1}
      outline="none"
      aria-label={t('conversationWith', { name: ticket.contact.name })}
      position="relative"
      display="flex"
      flexDirection="column"
      flex="1"
      minW="0"
      minH="0"
      h="full"
      bg="bg.thread"
      onKeyDown={(event) => {
        // Overlays are not part of the pane, although React events bubble from them to it.
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (isInside && beginsNote(event)) {
          event.preventDefault();
          setIsNoting(true);
        } else if (isInside && isWaiting && !isNoting) onWaitingKey(event);
        // Typing without the focus in a field goes to the input.
        else if (isInside && beginsText(event.nativeEvent))
          (note.current ?? composer.current)?.focus();
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f' && !event.altKey) {
          event.preventDefault();
          setSearched((before) => before ?? '');
        }
      }}
      {...drop.handlers}
    >
      <OthersContext value={others}>
        <ConversationHeader
          ticket={ticket}
          busy={busy}
          onAction={readOnly ? undefined : run}
          onBack={onBack}
          onOpenContact={onOpenContact}
          onSearch={() => setSearched((before) => before ?? '')}
          closesAt={isWriting ? mode.closesAt : null}
          tools={tools}
        />
      </OthersContext>
      <chakra.div srOnly aria-live="polite">
        {announced}
      </chakra.div>
      {!readOnly && <OwnerBanner ticket={ticket} mayAct={mayTransfer(ticket, user)} />}
      {!readOnly && <SnoozeBanner ticket={ticket} mayAct={maySnooze(ticket, user)} />}
      {searched !== null && (
        <Suspense fallback={<chakra.div h="53px" bg="bg.surface" borderBottomWidth="1px" />}>
          <ConversationSearch
            ticketId={ticket.id}
            text={searched}
            onText={setSearched}
            onJump={(key) => void jump(key)}
            onClose={closeSearch}
          />
        </Suspense>
      )}
      <Thread
        ticket={ticket}
        thread={thread}
        entries={entries}
        messages={messages}
        searched={searched ?? ''}
        isWriting={isWriting}
        canSendTemplates={!readOnly && mode.kind === 'windowClosed'}
        onTemplates={openTemplates}
        readOnly={readOnly}
        onReply={startReply}
        onEdit={startEdit}
        cards={props.cards ?? NO_CARDS}
      />
      {!readOnly && props.schedules}
      {!readOnly && props.notice && (
        <chakra.div flexShrink="0" px={{ base: '2', sm: '4' }} pt="2">
          {props.notice}
        </chakra.div>
      )}
      {!readOnly && (
        <chakra.div flexShrink="0" px={{ base: '2', sm: '4' }} pt="2" pb={{ base: '2', sm: '3' }}>
          <ComposeTabs
            isNote={isNoting}
            onChange={(isNote) => (isNote ? setIsNoting(true) : endNote())}
          />
          {isNoting && <NoteField ref={note} ticket={ticket} onClose={endNote} />}
          {/* Hidden, not removed: a message that is being written or recorded stays. */}
          <chakra.div hidden={isNoting}>
            <WritersLine writers={others.writers} />
            {mode.kind === 'write' ? (
              <>
                <Hints
                  disconnected={
                    ticket.whatsapp && ticket.whatsapp.status !== 'CONNECTED'
                      ? ticket.whatsapp.name
                      : null
                  }
                />
                <Composer
                  ref={composer}
                  whenAlone={whenAlone}
                  ticket={ticket}
                  composing={composing}
                  replyTo={canWrite ? replyTo : null}
                  onReplyEnd={endReply}
                  onSent={onSent}
                  onSentLast={resolveAfterSending}
                  onEditLast={editLast}
                  editing={editing}
                  onEditEnd={endEdit}
                  onEdited={saveEdit}
                  onTemplates={
                    ticket.whatsapp?.provider === 'official' ? () => openTemplates() : undefined
                  }
                  canInteract={capabilities.interactive}
                />
              </>
            ) : (
              <ComposerNotice
                mode={mode}
                ticket={ticket}
                busy={busy === mode.kind}
                onAction={run}
                onTemplates={() => openTemplates(composing.shown)}
                hasDraft={!isEmpty(composing)}
                utility={
                  utilityTexts === 'may' || utilityTexts === 'unknown' ? (
                    <UtilityText
                      ref={composer}
                      ticketId={ticket.id}
                      composing={composing}
                      asks={utilityTexts === 'unknown'}
                      whenAlone={whenAlone}
                      onSent={onSent}
                    />
                  ) : null
                }
              />
            )}
          </chakra.div>
        </chakra.div>
      )}
      <GoOn
        onWrite={() => {
          if (isWriting || isWaiting || isNoting) focus();
        }}
      />
      {drop.isOver && <DropHint />}
      {choosing !== null && (
        <Suspense fallback={null}>
          <TemplateDialog
            ticket={ticket}
            text={choosing}
            whenAlone={whenAlone}
            onClose={() => setChoosing(null)}
            onSent={onSent}
          />
        </Suspense>
      )}
      {question}
    </chakra.section>
  );
}
