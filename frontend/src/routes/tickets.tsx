import { chakra, useMediaQuery } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams, useSearchParams, type Location } from 'react-router';
import { Button } from '@/components/Button';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { useDistributes } from '@/features/desk/api';
import { useHasMacros } from '@/features/desk/rules/api';
import { useFirstRun } from '@/features/firstRun/api';
import { lookAhead } from '@/features/messages/api';
import { IgnoredLine } from '@/features/contacts/IgnoredLine';
import { ConversationSkeleton } from '@/features/messages/ConversationSkeleton';
import { useKeptConversations } from '@/features/messages/events';
import type { HeaderTools } from '@/features/messages/ConversationHeader';
import { mayServe, mayTransfer, mayWrite } from '@/features/messages/rules';
import { useTicketAction, type Ticket, type TicketAction } from '@/features/tickets/api';
import { fetchFirstList } from '@/features/tickets/firstList';
import { focusList } from '@/features/tickets/listFocus';
import { NarrowTabs, type NarrowTab } from '@/features/tickets/NarrowTabs';
import { TagSelector } from '@/features/tickets/TagSelector';
import { TicketPanel } from '@/features/tickets/TicketPanel';
import { TicketTags } from '@/features/tickets/TicketTags';
import { seesTicket } from '@/features/tickets/transfer';
import { useListView } from '@/features/tickets/useListView';
import { useStepKeys } from '@/features/tickets/useStepKeys';
import { formatView, type ListView } from '@/features/tickets/view';
import { Welcome } from '@/features/tickets/Welcome';
import { isNetworkError } from '@/lib/api/errors';
import { may, opens, planAllows } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useShortcuts } from '@/lib/useShortcuts';
import { useStableCallback } from '@/lib/useStableCallback';
import { useCurrentUser } from '@/stores/session';
import { useNarrowFocus } from '@/stores/ui';
import { paths } from './paths';
import {
  Conversations,
  prepareConversation,
  usePreparedConversation,
} from './tickets/conversation';
import { Dialogs, type Open } from './tickets/Dialogs';
import { useCards } from './tickets/useCards';
import { useAfterResolve } from './tickets/useAfterResolve';
import { useContactDrawer } from './tickets/useContactDrawer';
import { useOpenTicket } from './tickets/useOpenTicket';

const FirstRunList = lazy(() =>
  import('@/features/firstRun/FirstRunList').then((file) => ({ default: file.FirstRunList })),
);
const ContactSchedules = lazy(() =>
  import('@/features/schedules/ContactSchedules').then((file) => ({
    default: file.ContactSchedules,
  })),
);
const Macros = lazy(() =>
  import('@/features/desk/rules/Macros').then((file) => ({ default: file.Macros })),
);
const TicketCost = lazy(() =>
  import('@/features/costs/TicketCost').then((file) => ({ default: file.TicketCost })),
);

const ContactDrawer = lazy(() =>
  import('@/features/contacts/drawer/ContactDrawer').then((file) => ({
    default: file.ContactDrawer,
  })),
);

// Only where the browser begins here: from another page, the address is still that page's.
if (window.location.pathname.startsWith(paths.tickets)) fetchFirstList(window.location.search);

const mayTag = (ticket: Ticket, user: ReturnType<typeof useCurrentUser>) =>
  mayWrite(ticket, user) || mayServe(ticket, user);

/** From this width the list and the conversation are side by side. */
const WIDE = '(min-width: 900px)';

/** The inbox: lists on the left, the selected conversation, and its contact on the right. */
export function Component() {
  const { t } = useTranslation(['tickets', 'messages']);
  const { uuid } = useParams();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useCurrentUser();
  const [isWide] = useMediaQuery([WIDE], { ssr: false });
  const [view, changeView] = useListView();
  const [open, setOpen] = useState<Open | null>(null);
  const hasMacros = useHasMacros();
  const [isPickingMacro, setPickingMacro] = useState(false);
  const [narrow, setNarrow] = useState<{ tab: NarrowTab; uuid: string | undefined }>({
    tab: uuid ? 'ticket' : 'list',
    uuid,
  });
  // A selected ticket is shown even if it was open already; the bottom tabs can then switch back.
  const { key, state } = useLocation() as Location<{ writes?: boolean } | null>;
  const [seenKey, setSeenKey] = useState(key);
  if (seenKey !== key) {
    setSeenKey(key);
    if (state?.writes) setNarrow({ tab: 'ticket', uuid });
  }
  const narrowTab = narrow.uuid === uuid ? narrow.tab : uuid ? 'ticket' : 'list';
  const firstRun = useFirstRun();
  const drawer = useContactDrawer();
  const { isOpen: isContactOpen, set: setContactOpen } = drawer;
  const cards = useCards(setOpen);
  // The search's rows link to the found message, at which the conversation opens, mentions to
  // their note.
  const messageId = Number(params.get('message')) || 0;
  const noteId = Number(params.get('note')) || 0;
  const focusKey = noteId
    ? (`activity-${noteId}` as const)
    : messageId
      ? (`message-${messageId}` as const)
      : undefined;
  const showsConversation = isWide || narrowTab === 'ticket';
  const showsStepsAbove = !isWide && firstRun != null;
  // A company without a conversation has nothing but its first steps.
  const onlySteps = !uuid && (firstRun === undefined || (firstRun?.isEmpty ?? false));
  useNarrowFocus(!isWide && showsConversation && uuid !== undefined);

  const leave = useCallback(
    (change: Partial<ListView> = {}) => {
      const search = formatView({ ...view, ...change }).toString();
      void navigate({ pathname: paths.tickets, search }, { replace: true });
    },
    [navigate, view],
  );
  const { ticket, isRefused, onDeleted } = useOpenTicket(uuid, leave);
  useKeptConversations();
  usePreparedConversation();
  const shown = ticket.data;

  /** A ticket's URL, together with the list that contains it. */
  const addressOf = (next: Ticket) => {
    const list =
      next.status === 'closed'
        ? { tab: 'closed' as const }
        : { tab: 'open' as const, subTab: next.status };
    return {
      pathname: paths.ticket(next.uuid),
      search: formatView({ ...view, search: '', ...list }).toString(),
    };
  };
  const goTo = useStableCallback((next: Ticket) => void navigate(addressOf(next)));
  const act = useTicketAction(goTo);
  const afterResolve = useAfterResolve({ view, goTo, leave });

  /**
   * Opens an accepted conversation, and leaves one that was returned, unless the user has navigated
   * elsewhere meanwhile.
   */
  const follow = useStableCallback(
    (changed: Ticket, action: TicketAction, before: Ticket, from: string) => {
      const stayed = window.location.href === from;
      if (action === 'resolve') afterResolve(before, stayed && changed.uuid === uuid);
      else if (stayed && action !== 'return') goTo(changed);
      else if (stayed && changed.uuid === uuid) toList();
    },
  );

  const acting = useRef(new Set<string>());
  function actOn(target: Ticket, action: TicketAction) {
    // Ignore repeated clicks while the request is pending.
    const key = `${action} ${target.id}`;
    if (acting.current.has(key)) return;
    acting.current.add(key);
    const from = window.location.href;
    act
      .mutateAsync({ ticket: target, action })
      .then(
        (changed) => follow(changed, action, target, from),
        // The mutation has shown the error.
        () => undefined,
      )
      .finally(() => acting.current.delete(key));
  }

  /** Focuses the list but no row: the user may press a key again, or believe to be still typing. */
  function toList() {
    leave();
    focusList(0);
  }

  /** On a row, its own shortcuts apply (useListKeys). */
  const isOnRow = () => document.activeElement?.closest('[data-ticket]') != null;
  const isBesideList = isWide || narrowTab === 'list';
  useShortcuts({
    Escape: () => {
      if (!isBesideList) setNarrow({ tab: 'list', uuid });
      focusList();
    },
    t: ({ repeat }) => {
      if (!shown || isOnRow()) return false;
      // Who is about to accept it may believe to be writing already.
      if (shown.status === 'pending') return true;
      if (!repeat && mayTransfer(shown, user)) setOpen({ dialog: 'transfer', ticket: shown });
      return true;
    },
  });
  useStepKeys({
    // Beside the list, the list's own shortcuts apply (useListKeys).
    isOn: !isBesideList,
    view,
    openUuid: uuid,
    onOpen: (next) => {
      const search = formatView(view);
      if (next.match) search.set('message', String(next.match.messageId));
      void navigate({ pathname: paths.ticket(next.uuid), search: search.toString() });
    },
  });

  /**
   * Compares with the previous ticket: a live event may have updated the cache before the response.
   */
  function followTransfer(changed: Ticket, before: Ticket) {
    const stays = changed.userId === before.userId && changed.queueId === before.queueId;
    const receiver = stays ? changed.whatsapp : (changed.user ?? changed.queue);
    const target = receiver?.name ?? '';
    toast.success(t('transfer.doneTo', { target }));
    const wasOwn =
      before.status === 'open' && before.userId === user.id && changed.userId !== user.id;
    if (changed.uuid !== uuid || !(wasOwn || !seesTicket(changed, user))) return;
    toList();
  }

  const distributes = useDistributes();
  const maySchedule = planAllows(user, 'useSchedules');
  const toolsOf = useCallback(
    (current: Ticket): HeaderTools => ({
      ...(maySchedule && { onSchedule: () => setOpen({ dialog: 'schedule', ticket: current }) }),
      onTransfer: () => setOpen({ dialog: 'transfer', ticket: current }),
      onSnooze: () => setOpen({ dialog: 'snooze', ticket: current }),
      ...(distributes && { onHands: () => setOpen({ dialog: 'hands', ticket: current }) }),
      ...(hasMacros && { onMacros: () => setPickingMacro(true) }),
      ...(may(user, 'tickets:delete') && {
        onDelete: () => setOpen({ dialog: 'delete', ticket: current }),
      }),
      contact: {
        isOpen: isContactOpen(current.id),
        onToggle: () => setContactOpen(current.id, !isContactOpen(current.id)),
      },
      tagSelector: mayTag(current, user) && <TagSelector ticket={current} />,
    }),
    [user, maySchedule, hasMacros, distributes, isContactOpen, setContactOpen],
  );

  const schedulesOf = useCallback(
    (current: Ticket, folded = false) =>
      maySchedule && (
        <Suspense>
          <ContactSchedules
            contactId={current.contactId}
            folded={folded}
            onEdit={(scheduleId) => setOpen({ dialog: 'scheduled', scheduleId })}
          />
        </Suspense>
      ),
    [maySchedule],
  );
  const conversationOf = useCallback(
    (current: Ticket) => ({
      onActed: follow,
      onOwnOther: goTo,
      cards,
      onOpenContact: () => setContactOpen(current.id, true),
      tools: toolsOf(current),
      schedules: schedulesOf(current, true),
      notice: current.contact.ignoreMessages && <IgnoredLine contact={current.contact} />,
      ...(!isWide && { onBack: () => setNarrow({ tab: 'list', uuid: current.uuid }) }),
    }),
    [isWide, cards, follow, goTo, setContactOpen, toolsOf, schedulesOf],
  );

  const panel = (
    <TicketPanel
      view={view}
      onView={changeView}
      selected={uuid}
      onNewTicket={() => setOpen({ dialog: 'newTicket' })}
      onAction={actOn}
      onTransfer={(target) =>
        mayTransfer(target, user) && setOpen({ dialog: 'transfer', ticket: target })
      }
      onSpy={(target) => setOpen({ dialog: 'spy', ticket: target })}
      onRest={(target) => {
        prepareConversation();
        void lookAhead(client, target);
      }}
    />
  );

  const steps = firstRun ? (
    <chakra.div
      flex="1"
      minH="0"
      display="flex"
      justifyContent="center"
      alignItems="safe center"
      overflowY="auto"
      p={{ base: '4', sm: '6' }}
      bg="bg.thread"
    >
      <Suspense>
        <FirstRunList firstRun={firstRun} />
      </Suspense>
    </chakra.div>
  ) : null;

  const conversation = !uuid ? (
    isWide && firstRun ? (
      steps
    ) : isWide ? (
      <Welcome />
    ) : (
      <EmptyState
        title={t('welcome.text')}
        action={
          <Button onClick={() => setNarrow({ tab: 'list', uuid })}>{t('narrow.select')}</Button>
        }
      />
    )
  ) : ticket.isError && !isRefused && !shown ? (
    <ErrorState
      title={t(isNetworkError(ticket.error) ? 'messages:notHere' : 'loadFailed')}
      error={ticket.error}
      onRetry={() => void ticket.refetch()}
    />
  ) : shown ? (
    <Suspense fallback={<ConversationSkeleton />}>
      <Conversations ticket={shown} focusKey={focusKey} propsOf={conversationOf} />
    </Suspense>
  ) : (
    <ConversationSkeleton />
  );

  if (onlySteps) return steps ?? <InboxSkeleton isWide={isWide === true} />;
  return (
    <>
      <chakra.div flex="1" minH="0" display="flex">
        {(isWide || narrowTab === 'list') && (
          <chakra.div
            display="flex"
            flexDirection="column"
            flexShrink="0"
            w={isWide ? '368px' : 'full'}
            minW="0"
            borderEndWidth={isWide ? '1px' : '0'}
            {...(showsStepsAbove && { overflowY: 'auto' })}
          >
            {showsStepsAbove && (
              <Suspense>
                <FirstRunList low firstRun={firstRun} />
              </Suspense>
            )}
            {panel}
          </chakra.div>
        )}
        {showsConversation && (
          <chakra.div display="flex" flexDirection="column" flex="1" minW="0">
            {conversation}
          </chakra.div>
        )}
        {showsConversation && uuid && shown && drawer.isOpen(shown.id) && (
          <Suspense
            fallback={
              drawer.beside && (
                <chakra.div w="320px" flexShrink="0" borderStartWidth="1px" bg="bg.surface" />
              )
            }
          >
            <ContactDrawer
              key={shown.contactId}
              ticket={shown}
              beside={drawer.beside}
              onClose={() => drawer.set(shown.id, false)}
              onEdit={() => setOpen({ dialog: 'contact', contactId: shown.contactId })}
              onSchedule={
                maySchedule ? () => setOpen({ dialog: 'schedule', ticket: shown }) : undefined
              }
              onNewTicket={
                shown.status === 'closed'
                  ? (contact) => setOpen({ dialog: 'newTicket', contact })
                  : undefined
              }
              schedules={schedulesOf(shown)}
              cost={
                opens(user, 'costs') && (
                  <Suspense>
                    <TicketCost ticketId={shown.id} />
                  </Suspense>
                )
              }
              tags={<TicketTags ticket={shown} readOnly={!mayTag(shown, user)} />}
              addressOf={addressOf}
              onOpenImage={(images, messageId) => setOpen({ dialog: 'image', images, messageId })}
            />
          </Suspense>
        )}
      </chakra.div>
      {!isWide && <NarrowTabs value={narrowTab} onChange={(tab) => setNarrow({ tab, uuid })} />}
      {hasMacros && (
        <Suspense>
          <Macros
            ticketId={shown && mayTag(shown, user) ? shown.id : null}
            isOpen={isPickingMacro}
            onOpen={setPickingMacro}
          />
        </Suspense>
      )}
      <Dialogs
        open={open}
        setOpen={setOpen}
        onTicket={goTo}
        onTransferred={followTransfer}
        onSnoozed={(changed) => {
          if (changed.uuid === uuid) toList();
        }}
        onDeleted={(ticketId) => {
          onDeleted(ticketId);
          focusList(0);
        }}
      />
    </>
  );
}

/** While it is unknown whether the company has begun. */
function InboxSkeleton({ isWide }: { isWide: boolean }) {
  return (
    <chakra.div flex="1" minH="0" display="flex" overflow="hidden" bg="bg.thread">
      <chakra.div
        w={isWide ? '368px' : 'full'}
        bg="bg.surface"
        borderEndWidth={isWide ? '1px' : '0'}
      >
        <SkeletonRows rows={10} />
      </chakra.div>
    </chakra.div>
  );
}
