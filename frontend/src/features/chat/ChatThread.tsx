import { chakra } from '@chakra-ui/react';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso } from 'react-virtuoso';
import { Spinner } from '@/components/Button';
import { JumpButton } from '@/components/JumpButton';
import { MoreFailed } from '@/components/ListEnd';
import { DayPill, Divider } from '@/components/ThreadLines';
import { useStableCallback } from '@/lib/useStableCallback';
import { AT_BOTTOM_PX, useStayAtEnd } from '@/lib/useStayAtEnd';
import { useCurrentUser } from '@/stores/session';
import { ChatBubble } from './ChatBubble';
import type { Entry } from './entries';

/** Older messages load within this distance of the top (rules/chat §5). */
const NEAR_PX = 600;
/**
 * Virtuoso numbers rows that load above the first one downwards from this; it only has to be large
 * enough.
 */
const FIRST_INDEX = 1_000_000;
/** After opening, the list needs a moment to reach its end. */
const SETTLE_MS = 300;
const PREPEND_MS = 80;

interface ChatThreadProps {
  label: string;
  entries: Entry[];
  /** Whether names are shown above other members' messages: in a chat of two they are not. */
  showsNames: boolean;
  hasOlder: boolean;
  loadingOlder: boolean;
  /** Older messages failed to load: they load again only on request. */
  olderFailed: boolean;
  onLoadOlder: () => void;
}

interface Context {
  userId: number;
  showsNames: boolean;
  loadingOlder: boolean;
  olderFailed: boolean;
  onLoadOlder: () => void;
}

function Row({ entry, context }: { entry: Entry; context: Context }) {
  const { t } = useTranslation('chat');
  switch (entry.kind) {
    case 'day':
      return (
        <chakra.div display="flex" justifyContent="center" pt="3" pb="1">
          <DayPill day={entry.day} />
        </chakra.div>
      );
    case 'unread':
      return <Divider strong>{t('pane.unread', { count: entry.count })}</Divider>;
    case 'message':
      return (
        <ChatBubble
          message={entry.message}
          isOwn={entry.message.senderId === context.userId}
          first={entry.first}
          showsName={context.showsNames}
        />
      );
    case 'outbox':
      return <ChatBubble item={entry.item} isOwn first={entry.first} showsName={false} />;
  }
}

const Top = ({ context }: { context?: Context }) =>
  context?.olderFailed ? (
    <MoreFailed onRetry={context.onLoadOlder} />
  ) : (
    <chakra.div h="10" display="flex" alignItems="center" justifyContent="center" color="fg.muted">
      {context?.loadingOlder && <Spinner size={20} />}
    </chakra.div>
  );
const Bottom = () => <chakra.div h="3" />;
const PARTS = { Header: Top, Footer: Bottom };

const newestId = (entries: readonly Entry[]) => {
  const last = entries.findLast((entry) => entry.kind === 'message');
  return last?.kind === 'message' ? last.message.id : 0;
};

/** The messages of a chat in a virtual list; opens at its end. */
export function ChatThread(props: ChatThreadProps) {
  const { label, entries, showsNames, hasOlder, loadingOlder, olderFailed, onLoadOlder } = props;
  const { id: userId } = useCurrentUser();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [atBottom, setAtBottom] = useState(true);
  const [nearTop, setNearTop] = useState(false);
  const [seenId, setSeenId] = useState(() => newestId(entries));
  // The first message of the initial load keeps its index: rows above it count down.
  const [anchorKey] = useState(() => entries.find(({ kind }) => kind === 'message')?.key);
  const [startCount] = useState(entries.length);
  const anchor = Math.max(
    entries.findIndex(({ key }) => key === anchorKey),
    0,
  );

  // A page is short: rendered whole, it is readable in the first frame and stays at its end.
  useLayoutEffect(() => {
    scroller?.scrollTo({ top: scroller.scrollHeight });
  }, [scroller]);
  const toEnd = useStayAtEnd(scroller, true, entries.length);

  useEffect(() => {
    if (!scroller) return;
    const look = () => setNearTop(scroller.scrollTop < NEAR_PX);
    // Before the list has scrolled to its end it would seem to be at its top.
    const settled = setTimeout(() => {
      look();
      scroller.addEventListener('scroll', look, { passive: true });
    }, SETTLE_MS);
    return () => {
      clearTimeout(settled);
      scroller.removeEventListener('scroll', look);
    };
  }, [scroller]);

  const loadOlder = useStableCallback(onLoadOlder);
  useEffect(() => {
    if (!scroller || !nearTop || !hasOlder || loadingOlder || olderFailed) return;
    // A page that has just loaded is still being inserted above the visible rows.
    const timer = setTimeout(() => {
      if (scroller.scrollTop < NEAR_PX) loadOlder();
    }, PREPEND_MS);
    return () => clearTimeout(timer);
  }, [scroller, nearTop, hasOlder, loadingOlder, olderFailed, loadOlder]);

  // The user wants to see the message just sent, whatever the scroll position.
  const last = entries.at(-1);
  const lastOutboxKey = last?.kind === 'outbox' ? last.key : undefined;
  useEffect(() => {
    if (lastOutboxKey) toEnd();
  }, [lastOutboxKey, toEnd]);

  const newest = newestId(entries);
  if (atBottom && seenId !== newest) setSeenId(newest);
  const unseen = atBottom
    ? 0
    : entries.filter((entry) => entry.kind === 'message' && entry.message.id > seenId).length;
  const context = useMemo<Context>(
    () => ({ userId, showsNames, loadingOlder, olderFailed, onLoadOlder: loadOlder }),
    [userId, showsNames, loadingOlder, olderFailed, loadOlder],
  );

  return (
    <chakra.div position="relative" flex="1" minH="0">
      <Virtuoso<Entry, Context>
        role="log"
        aria-label={label}
        aria-live="off"
        aria-busy={loadingOlder}
        style={{ height: '100%', overflowX: 'hidden', overscrollBehavior: 'contain' }}
        data={entries}
        context={context}
        components={PARTS}
        computeItemKey={(_, entry) => entry.key}
        itemContent={(_, entry, rowContext) => (
          <chakra.div px={{ base: '4', sm: '6' }}>
            <Row entry={entry} context={rowContext} />
          </chakra.div>
        )}
        firstItemIndex={FIRST_INDEX - anchor}
        initialItemCount={startCount}
        alignToBottom
        atBottomThreshold={AT_BOTTOM_PX}
        atBottomStateChange={setAtBottom}
        increaseViewportBy={{ top: 600, bottom: 300 }}
        scrollerRef={(element) => setScroller(element instanceof HTMLElement ? element : null)}
      />
      {!atBottom && <JumpButton unseen={unseen} onClick={toEnd} />}
    </chakra.div>
  );
}
