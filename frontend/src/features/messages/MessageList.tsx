import { chakra } from '@chakra-ui/react';
import { memo, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { Spinner } from '@/components/Button';
import { JumpButton } from '@/components/JumpButton';
import { MoreFailed } from '@/components/ListEnd';
import { DayPill, Divider } from '@/components/ThreadLines';
import { AT_BOTTOM_PX, useStayAtEnd } from '@/lib/useStayAtEnd';
import type { Entry, RowKey } from './entries';
import { moveFocus } from './listKeys';
import { MessageRow, type RowHandlers } from './MessageRow';
import { messageOfItem } from './outboxMessage';
import { ActivityLine } from './SystemLines';
import { ThreadSkeleton } from './ThreadSkeleton';
import type { Target } from './useThread';

/**
 * Older messages load within this distance of the top (rules/screens §2), newer ones of the bottom.
 */
const NEAR_PX = 50;
/**
 * Virtuoso numbers rows that load above the first one downwards from this; it only has to be large
 * enough.
 */
const FIRST_INDEX = 1_000_000;
const HIGHLIGHT_MS = 1600;
/** After opening, the list needs a moment to reach its end. */
const SETTLE_MS = 300;
const PREPEND_MS = 80;
/** The number of rows rendered at once; only a part with many activities has more. */
const MOST_AT_OPENING = 60;

interface MessageListProps {
  label: string;
  entries: Entry[];
  handlers: RowHandlers;
  /** The message or note to scroll to; without one the list opens at its end. */
  target: Target | null;
  hasOlder: boolean;
  loadingOlder: boolean;
  /** Older messages failed to load: they load again only on request. */
  olderFailed: boolean;
  onLoadOlder: () => void;
  /** The loaded messages end before the newest one. */
  hasNewer: boolean;
  loadingNewer: boolean;
  newerFailed: boolean;
  onLoadNewer: () => void;
  onNewest: () => void;
  /** The number of messages that arrived after the loaded ones. */
  arrivedCount: number;
}

type Ends = Pick<
  MessageListProps,
  'loadingOlder' | 'olderFailed' | 'onLoadOlder' | 'loadingNewer' | 'newerFailed' | 'onLoadNewer'
>;

interface Context extends Ends {
  handlers: RowHandlers;
  highlightedKey: RowKey | null;
}

function Line({ entry, context }: { entry: Entry; context: Context }) {
  const { t } = useTranslation('messages');
  const { handlers, highlightedKey } = context;
  switch (entry.kind) {
    case 'day':
      return (
        <chakra.div display="flex" justifyContent="center" pt="3" pb="1">
          <DayPill day={entry.day} />
        </chakra.div>
      );
    case 'unread':
      return <Divider strong>{t('unread', { count: entry.count })}</Divider>;
    case 'ticket':
      return (
        <Divider>{t('ticketChange', { closed: entry.closedId, started: entry.startedId })}</Divider>
      );
    case 'activity':
      return <ActivityLine activity={entry.activity} highlighted={highlightedKey === entry.key} />;
    case 'message':
      return (
        <MessageRow
          message={entry.message}
          first={entry.first}
          signs={entry.signs}
          highlighted={highlightedKey === entry.key}
          handlers={handlers}
        />
      );
    case 'outbox':
      return (
        <MessageRow
          message={messageOfItem(entry.item)}
          item={entry.item}
          first={entry.first}
          signs={entry.signs}
          highlighted={false}
          handlers={handlers}
        />
      );
  }
}

const CENTRED: ReadonlySet<Entry['kind']> = new Set(['day', 'unread', 'ticket', 'activity']);

/** Memoised: Virtuoso renders all its rows several times while it measures them. */
const Row = memo(function Row({ entry, context }: { entry: Entry; context: Context }) {
  return (
    <chakra.div
      data-day={entry.day}
      data-entry={entry.key}
      data-centred={CENTRED.has(entry.kind) || undefined}
      px={{ base: '4', sm: '6' }}
    >
      <Line entry={entry} context={context} />
    </chakra.div>
  );
});
const rowOf = (_: number, entry: Entry, context: Context) => (
  <Row entry={entry} context={context} />
);

const Top = ({ context }: { context?: Context }) =>
  context?.olderFailed ? (
    <MoreFailed onRetry={context.onLoadOlder} />
  ) : (
    <chakra.div h="10" display="flex" alignItems="center" justifyContent="center" color="fg.muted">
      {context?.loadingOlder && <Spinner size={20} />}
    </chakra.div>
  );
const Bottom = ({ context }: { context?: Context }) =>
  context?.newerFailed ? (
    <MoreFailed onRetry={context.onLoadNewer} />
  ) : context?.loadingNewer ? (
    <chakra.div h="10" display="flex" alignItems="center" justifyContent="center" color="fg.muted">
      <Spinner size={20} />
    </chakra.div>
  ) : (
    <chakra.div h="3" />
  );
const PARTS = { Header: Top, Footer: Bottom };

const placeOf = (entries: readonly Entry[], wanted: RowKey) =>
  entries.findIndex(({ key }) => key === wanted);

const newestId = (entries: readonly Entry[]) => {
  const last = entries.findLast((entry) => entry.kind === 'message');
  return last?.kind === 'message' ? last.message.id : 0;
};

/** Whether a row can be seen: until then Virtuoso measures its rows, hidden, for many frames. */
function useDrawn(scroller: HTMLElement | null): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useLayoutEffect(() => {
    if (!scroller || isDrawn) return;
    let frame = 0;
    const look = () => {
      if (hasVisibleRow(scroller)) setDrawn(true);
      else frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [scroller, isDrawn]);
  return isDrawn;
}

function hasVisibleRow(scroller: HTMLElement): boolean {
  const { top, bottom } = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll('[data-day]')].some((row) => {
    const place = row.getBoundingClientRect();
    const isInside = place.bottom > top && place.top < bottom && place.height > 0;
    return isInside && row.checkVisibility({ visibilityProperty: true });
  });
}

/** The distances of the floating day from the top of the list, with some air. */
const PILL_TOP_PX = 4;
const PILL_END_PX = 48;

/**
 * The day of the topmost visible row; '' while a centred row is where the day would float: a day's
 * own separator, an activity, or a divider.
 */
function dayAtTop(scroller: HTMLElement): string {
  const { top } = scroller.getBoundingClientRect();
  let day = '';
  for (const row of scroller.querySelectorAll<HTMLElement>('[data-day]')) {
    const { top: start, bottom } = row.getBoundingClientRect();
    if (bottom < top + PILL_TOP_PX) continue;
    if (start > top + PILL_END_PX) break;
    if (row.dataset.centred !== undefined) return '';
    day ||= row.dataset.day ?? '';
  }
  return day;
}

/**
 * The messages in a virtual list; opens at its end or at the target. Memoised, so that typing in
 * the composer does not render it.
 */
export const MessageList = memo(function MessageList(props: MessageListProps) {
  const { label, entries, handlers, target, onNewest, arrivedCount } = props;
  const { hasOlder, loadingOlder, olderFailed, onLoadOlder } = props;
  const { hasNewer, loadingNewer, newerFailed, onLoadNewer } = props;
  const list = useRef<VirtuosoHandle>(null);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [atBottom, setAtBottom] = useState(true);
  const [nearTop, setNearTop] = useState(false);
  const [nearEnd, setNearEnd] = useState(false);
  const [seenId, setSeenId] = useState(() => newestId(entries));
  const [topDay, setTopDay] = useState('');
  const [highlightedKey, setHighlightedKey] = useState(target?.key ?? null);
  const [shownTurn, setShownTurn] = useState(target?.turn);
  const [startPlace] = useState(() => (target ? placeOf(entries, target.key) : -1));
  // The first message of the initial load keeps its index: rows above it count down.
  const [anchorKey] = useState(() => entries.find(({ kind }) => kind === 'message')?.key);
  const anchor = Math.max(
    entries.findIndex(({ key }) => key === anchorKey),
    0,
  );

  // At a target, Virtuoso hides the rows until it has measured for some frames and scrolled there.
  // The last page is short: rendered whole, it is readable in the first frame and stays at its end.
  const [opening] = useState(() => {
    if (startPlace < 0 && entries.length <= MOST_AT_OPENING)
      return { initialItemCount: entries.length };
    return {
      initialTopMostItemIndex:
        startPlace < 0
          ? { index: 'LAST' as const, align: 'end' as const }
          : { index: startPlace, align: 'center' as const },
    };
  });

  const isWhole = 'initialItemCount' in opening;
  const isDrawn = useDrawn(scroller);
  useLayoutEffect(() => {
    if (isWhole) scroller?.scrollTo({ top: scroller.scrollHeight });
  }, [scroller, isWhole]);

  const toEnd = useStayAtEnd(scroller, !hasNewer, entries.length);

  useEffect(() => {
    if (!scroller || !nearTop || !hasOlder || loadingOlder || olderFailed) return;
    // A page that has just loaded is still being inserted above the visible rows.
    const timer = setTimeout(() => {
      if (scroller.scrollTop < NEAR_PX) onLoadOlder();
    }, PREPEND_MS);
    return () => clearTimeout(timer);
  }, [scroller, nearTop, hasOlder, loadingOlder, olderFailed, onLoadOlder]);

  useEffect(() => {
    if (nearEnd && hasNewer && !loadingNewer && !newerFailed) onLoadNewer();
  }, [nearEnd, hasNewer, loadingNewer, newerFailed, onLoadNewer]);

  useEffect(() => {
    if (!scroller) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      setTopDay(dayAtTop(scroller));
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      setNearTop(scrollTop < NEAR_PX);
      setNearEnd(scrollHeight - clientHeight - scrollTop < NEAR_PX);
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    const sized = new ResizeObserver(soon);
    const settled = setTimeout(() => {
      look();
      // A list higher than its rows cannot scroll. The observer fires at once: before the rows are
      // measured the list would seem to be at both ends.
      sized.observe(scroller);
    }, SETTLE_MS);
    scroller.addEventListener('scroll', soon, { passive: true });
    return () => {
      sized.disconnect();
      clearTimeout(settled);
      cancelAnimationFrame(frame);
      scroller.removeEventListener('scroll', soon);
    };
  }, [scroller]);

  // The user wants to see the message just sent, whatever the scroll position.
  const last = entries.at(-1);
  const lastOutboxKey = last?.kind === 'outbox' ? last.key : undefined;
  useEffect(() => {
    if (lastOutboxKey) toEnd();
  }, [lastOutboxKey, toEnd]);

  useEffect(() => {
    if (highlightedKey === null) return;
    const timer = setTimeout(() => setHighlightedKey(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlightedKey]);

  if (target && target.turn !== shownTurn) {
    setShownTurn(target.turn);
    setHighlightedKey(target.key);
  }
  const show = useEffectEvent(({ key }: Target) => {
    const index = placeOf(entries, key);
    if (index >= 0) list.current?.scrollToIndex({ index, align: 'center' });
  });
  const isFirst = useRef(true);
  useEffect(() => {
    // The list opened at the first target already.
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (target) show(target);
  }, [target]);
  // A message or note may be higher than the list, with the match at its end.
  useEffect(() => {
    if (!target) return;
    const timer = setTimeout(() => {
      const word = scroller?.querySelector(`[data-entry="${target.key}"] mark`);
      word?.scrollIntoView({ block: 'nearest' });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [target, scroller]);

  const newest = newestId(entries);
  if (atBottom && seenId !== newest) setSeenId(newest);
  const unseen = atBottom
    ? 0
    : entries.filter(
        (entry) => entry.kind === 'message' && !entry.message.fromMe && entry.message.id > seenId,
      ).length;
  const context = useMemo<Context>(
    () => ({
      handlers,
      highlightedKey,
      loadingOlder,
      olderFailed,
      onLoadOlder,
      loadingNewer,
      newerFailed,
      onLoadNewer,
    }),
    [
      handlers,
      highlightedKey,
      loadingOlder,
      olderFailed,
      onLoadOlder,
      loadingNewer,
      newerFailed,
      onLoadNewer,
    ],
  );

  return (
    <chakra.div
      position="relative"
      flex="1"
      minH="0"
      onKeyDown={(event) => {
        if (moveFocus(event.target, event)) event.preventDefault();
      }}
    >
      <Virtuoso<Entry, Context>
        ref={list}
        role="log"
        aria-label={label}
        // New messages are announced elsewhere; rows that load while scrolling back must not be.
        aria-live="off"
        aria-busy={loadingOlder}
        style={{ height: '100%', overflowX: 'hidden', overscrollBehavior: 'contain' }}
        data={entries}
        context={context}
        components={PARTS}
        computeItemKey={(_, entry) => entry.key}
        itemContent={rowOf}
        firstItemIndex={FIRST_INDEX - anchor}
        {...opening}
        alignToBottom
        atBottomThreshold={AT_BOTTOM_PX}
        atBottomStateChange={setAtBottom}
        increaseViewportBy={{ top: 600, bottom: 300 }}
        scrollerRef={(element) => setScroller(element instanceof HTMLElement ? element : null)}
      />
      {!isDrawn && (
        <chakra.div
          position="absolute"
          inset="0"
          display="flex"
          flexDirection="column"
          bg="bg.thread"
        >
          <ThreadSkeleton />
        </chakra.div>
      )}
      {topDay && (
        <chakra.div
          aria-hidden
          data-floating-day
          position="absolute"
          top="3"
          insetInline="0"
          display="flex"
          justifyContent="center"
          pointerEvents="none"
        >
          <DayPill day={topDay} floating />
        </chakra.div>
      )}
      {(!atBottom || hasNewer) && (
        <JumpButton unseen={arrivedCount + unseen} onClick={hasNewer ? onNewest : toEnd} />
      )}
    </chakra.div>
  );
});
