import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { connectionsQuery } from '@/features/connections/api';
import { useDistributes } from '@/features/desk/api';
import {
  foldMention,
  followsQuery,
  mentionsQuery,
  openAnswer,
  openMention,
  type Mention,
} from '@/features/messages/api';
import { recount, ticketCountsQuery } from '@/features/tickets/api';
import { openBrowserTabs, type BrowserTabs } from '@/lib/browserTabs';
import { showOnDesktop } from '@/lib/desktop';
import { plainText } from '@/lib/markup';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent, useNotificationRoom, useStatusRoom } from '@/lib/socket';
import { formatTime } from '@/lib/format';
import { playChime } from '@/lib/sound';
import { toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { setTicketsBadge, setUnreadBadge } from '@/stores/badges';
import { useCurrentUser } from '@/stores/session';
import { storedVolume } from '@/stores/ui';
import { closingQuery, FRESH_MS } from './api';
import { showOnIcon } from './favicon';
import {
  awaited,
  changed,
  closing,
  closingOf,
  concerns,
  handedOver,
  mentioned,
  MOST_AT_ONCE,
  noticesOf,
  stillConcerning,
  type Activity,
  type Arrival,
  type Notice,
} from './rules';
import { noteTold, wasTold } from './told';
import { useAlerts } from './useAlerts';

/**
 * Messages within this time share one notification; meanwhile other tabs can report that they show
 * them.
 */
const GATHER_MS = 250;
/** So long after it has come the distribution has given a ticket that it can give. */
const GIVEN_MS = 1500;
/** Messages within this time share one sound. */
const QUIET_MS = 1500;
/** What was missed is asked for only then: first the page stands. */
const LATER_MS = 5000;
/** The maximum length of a text in a notification. */
const LONGEST = 160;

/** Counts the user's own and the waiting tickets, whatever the filters of the inbox. */
const countsQuery = ticketCountsQuery({ showAll: false, queues: [] });

/**
 * The id by which tabs report to each other what they show; activities have negative ones, and
 * closing windows their time.
 */
const shownBy = ({ message, ticket, activity, closesAt }: Arrival) => {
  if (closesAt) return Date.parse(closesAt);
  return activity ? -activity.id : (message?.id ?? ticket.lastMessageId ?? 0);
};

/** Notifies of new messages and of alerts on every page: sound, desktop, the tab's title and icon. */
export function Notifications() {
  useCounts();
  useArrivals();
  useAlerts();
  return null;
}

/** Counts conversations for the side menu, and the unread ones for the browser's tab. */
function useCounts() {
  const client = useQueryClient();
  const { data } = useQuery(countsQuery);
  const total = data ? data.open + data.pending : null;
  const count = data?.unread ?? 0;
  useEffect(() => {
    setTicketsBadge(total);
    return () => setTicketsBadge(null);
  }, [total]);
  useEffect(() => {
    setUnreadBadge(count);
    void showOnIcon(count);
    return () => {
      setUnreadBadge(0);
      void showOnIcon(0);
    };
  }, [count]);
  const again = () => recount(client);
  useNotificationRoom(again);
  // Only this room reports tickets that leave the user's lists.
  useStatusRoom('open', again);
  useStatusRoom('pending', again);
  useCompanyEvent('ticket', again);
  useCompanyEvent('appMessage', ({ action }) => {
    if (action === 'create') again();
  });
}

function useArrivals() {
  const client = useQueryClient();
  const { t } = useTranslation(['notifications', 'inbox']);
  const user = useCurrentUser();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const distributes = useDistributes();
  const waiting = useRef<Arrival[]>([]);
  const timer = useRef(0);
  const soundedAt = useRef(-QUIET_MS);
  const tabs = useRef<BrowserTabs | null>(null);
  useEffect(() => {
    const opened = openBrowserTabs('balcao-notifications');
    tabs.current = opened;
    return () => {
      opened.close();
      window.clearTimeout(timer.current);
      timer.current = 0;
    };
  }, []);

  const handOverWords = (
    { kind, actorName, userName, queueName, priority }: Activity,
    isFollowed: boolean | undefined,
  ) => {
    const name = isFollowed ? userName : userName && t('handedOver.you');
    return t(`${isFollowed ? 'followed' : 'handedOver'}.${kind}${actorName ? '' : 'Auto'}`, {
      actor: actorName,
      target: name ?? queueName ?? t('handedOver.noQueue'),
      priority: priority && t(`inbox:priority.${priority}`),
    });
  };

  const closingWords = (closesAt: string) => t('windowCloses', { time: formatTime(closesAt) });

  /** Opens the conversation, at the note if the arrival is one. */
  const openAt = ({ ticket, activity }: Arrival) => {
    const search = activity?.kind === 'noted' ? `note=${activity.id}` : '';
    void navigate({ pathname: paths.ticket(ticket.uuid), search });
  };

  /**
   * Tells of a hand-over, of a window that closes and of an awaited message in the page itself,
   * where desktop notifications may be off.
   */
  function showInPage(arrival: Arrival) {
    const { ticket, activity, closesAt, isAwaited, isFollowed, message } = arrival;
    if (document.visibilityState !== 'visible') return;
    const said = message ? plainText(message.body).slice(0, LONGEST) : '';
    const words = closesAt
      ? closingWords(closesAt)
      : activity
        ? handOverWords(activity, isFollowed)
        : isAwaited && t('awaited', { text: said });
    if (!words) return;
    const note =
      activity?.note &&
      t(activity.kind === 'noted' ? 'handedOver.noteText' : 'handedOver.note', {
        note: activity.note.slice(0, LONGEST),
      });
    const title = `${ticket.contact.name}: ${words}`;
    toast.news([title, note].filter(Boolean).join('. '), t('handedOver.open'), () => {
      openAt(arrival);
    });
  }

  function show(notice: Notice) {
    if (notice.kind === 'summary') {
      const { messages, tickets } = notice;
      showOnDesktop({
        title: messages ? t('summary.title', { count: messages }) : t('handedOver.many'),
        body: t('summary.body', { count: tickets }),
        tag: 'tickets',
        onOpen: () => void navigate(paths.tickets),
      });
      return;
    }
    const { message, ticket, activity, closesAt, isFollowed } = notice.arrival;
    if (closesAt ?? activity) {
      const words = closesAt
        ? closingWords(closesAt)
        : activity && handOverWords(activity, isFollowed);
      showOnDesktop({
        title: ticket.contact.name,
        body: [words, activity?.note?.slice(0, LONGEST)].filter(Boolean).join('\n'),
        tag: `ticket-${ticket.id}`,
        icon: ticket.contact.profilePicUrl,
        onOpen: () => openAt(notice.arrival),
      });
      return;
    }
    const words = message ? plainText(message.body).slice(0, LONGEST) : t('waits');
    const kind = message ? t(`kinds.${message.mediaType}`, { defaultValue: '' }) : '';
    const text = kind && words ? `${kind}: ${words}` : words || kind || t('kinds.unknown');
    showOnDesktop({
      title: ticket.contact.name,
      body: notice.count > 1 ? `${t('more', { count: notice.count })}\n${text}` : text,
      tag: `ticket-${ticket.id}`,
      icon: ticket.contact.profilePicUrl,
      onOpen: () => void navigate(paths.ticket(ticket.uuid)),
    });
  }

  function tell() {
    timer.current = 0;
    const unseen = waiting.current.filter((arrival) => !tabs.current?.wasSeen(shownBy(arrival)));
    waiting.current = [];
    if (unseen.length === 0) return;
    const notices = noticesOf(unseen);
    for (const notice of notices) if (notice.kind === 'ticket') showInPage(notice.arrival);
    if (!tabs.current?.tells()) return;
    if (performance.now() - soundedAt.current >= QUIET_MS) {
      soundedAt.current = performance.now();
      playChime(storedVolume());
    }
    notices.forEach(show);
  }

  function hear(arrival: Arrival) {
    if (!concerns(arrival, user)) return;
    if (document.hasFocus() && pathname === paths.ticket(arrival.ticket.uuid)) {
      tabs.current?.saw(shownBy(arrival));
      return;
    }
    waiting.current.push(arrival);
    const mayBeGiven = distributes && arrival.ticket.userId === null;
    if (!timer.current) timer.current = window.setTimeout(tell, mayBeGiven ? GIVEN_MS : GATHER_MS);
  }

  useCompanyEvent('appMessage', (event) => {
    if (event.action === 'create') hear(event);
  });
  useCompanyEvent('ticket', (event) => {
    if (event.action === 'update')
      waiting.current = stillConcerning(waiting.current, event.ticket, user);
    const arrival = handedOver(event, user.id);
    if (arrival) hear(arrival);
  });
  useCompanyEvent('ticketWindow', (event) => {
    noteTold(user.id, closing(event));
    hear(closing(event));
  });
  const toldAnswers = useRef(new Set<number>());
  useCompanyEvent('ticketFollow', (event) => {
    if (event.action === 'changed') {
      hear(changed(event));
      return;
    }
    toldAnswers.current.add(event.message.id);
    void client.invalidateQueries({ queryKey: followsQuery().queryKey });
    hear(awaited(event));
  });
  const toldNotes = useRef(new Set<number>());
  useCompanyEvent('ticketMention', (event) => {
    changeQueries<{ mentions: Mention[] }>(client, mentionsQuery().queryKey, (now) =>
      foldMention(now, event),
    );
    if (event.action !== 'create') return;
    toldNotes.current.add(event.mention.note.id);
    hear(mentioned(event.mention));
  });
  useMissed((answers, windows, mentions) => {
    const untold = answers.filter(({ message }) => !toldAnswers.current.has(message?.id ?? 0));
    const own = windows.filter((each) => concerns(each, user) && !wasTold(user.id, each));
    // The others follow when one of these was opened, or at the next load.
    const notes = mentions.filter(({ activity }) => !toldNotes.current.has(activity?.id ?? 0));
    for (const arrival of [...untold, ...own, ...notes].slice(0, MOST_AT_ONCE)) {
      if (arrival.closesAt) noteTold(user.id, arrival);
      else if (arrival.activity) toldNotes.current.add(arrival.activity.id);
      else if (arrival.message) toldAnswers.current.add(arrival.message.id);
      hear(arrival);
    }
  });
}

/**
 * Calls `onMissed`, when the page is in view, with what the user is to hear of and may have missed:
 * awaited answers that were not opened (rules/messages §13), windows that close
 * (rules/tickets §15), and mentions (rules/tickets §16). Answers and mentions whose conversation is
 * open are reported as seen.
 */
function useMissed(
  onMissed: (answers: Arrival[], windows: Arrival[], mentions: Arrival[]) => void,
) {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const [isLater, setIsLater] = useState(false);
  useEffect(() => {
    const later = window.setTimeout(() => setIsLater(true), LATER_MS);
    return () => window.clearTimeout(later);
  }, []);
  const { data: follows } = useQuery({ ...followsQuery(), enabled: isLater });
  const { data: hasWindows = false } = useQuery({
    ...connectionsQuery(),
    enabled: isLater,
    select: (connections) => connections.some(({ provider }) => provider === 'official'),
  });
  const { data: closes, dataUpdatedAt } = useQuery({
    ...closingQuery(),
    enabled: isLater && hasWindows,
  });
  const { data: named } = useQuery({ ...mentionsQuery(), enabled: isLater });
  const answers = follows?.answers;
  const mentions = named?.mentions.filter(({ seen }) => !seen);
  const look = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return;
    const now = Date.now();
    const isFresh = now - dataUpdatedAt < FRESH_MS;
    onMissed(
      (answers ?? []).map(awaited),
      closingOf((isFresh && closes?.tickets) || [], now),
      (mentions ?? []).map(mentioned),
    );
  });
  useEffect(() => {
    look();
    const onView = () => {
      look();
      void client.refetchQueries({ queryKey: closingQuery().queryKey, stale: true });
    };
    document.addEventListener('visibilitychange', onView);
    return () => document.removeEventListener('visibilitychange', onView);
  }, [client, answers, named, dataUpdatedAt]);
  const isOpen = ({ ticket }: { ticket: { uuid: string } }) =>
    pathname === paths.ticket(ticket.uuid);
  useSeen(answers?.find(isOpen)?.ticket.id, openAnswer);
  useSeen(mentions?.find(isOpen)?.ticket.id, openMention);
}

/** Reports the ticket whose conversation is open as soon as the page has the focus. */
function useSeen(
  opened: number | undefined,
  report: (client: QueryClient, ticketId: number) => Promise<void>,
) {
  const client = useQueryClient();
  useEffect(() => {
    if (opened === undefined) return;
    const see = () => {
      if (document.hasFocus()) void report(client, opened);
    };
    see();
    window.addEventListener('focus', see);
    return () => window.removeEventListener('focus', see);
  }, [client, opened, report]);
}
