import { chakra } from '@chakra-ui/react';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { Spinner } from '@/components/Button';
import { CountBadge } from '@/components/Badge';
import { Tooltip } from '@/components/Tooltip';
import type { Entry } from './entries';
import { messageOfItem } from './local';
import { MessageRow, type RowHandlers } from './MessageRow';
import { useStayAtEnd } from './stayAtEnd';
import { DayPill, Divider, EventLine } from './SystemLines';

/** Older messages load this near to the top (specification 1 §9). */
const OLDER_PX = 50;
const AT_BOTTOM_PX = 48;
/** Rows before the first loaded one get lower numbers; it only has to be enough of them. */
const FIRST_INDEX = 1_000_000;
const HIGHLIGHT_MS = 1600;
/** After opening, the list needs a moment to reach its end. */
const SETTLE_MS = 300;
const PREPEND_MS = 80;

interface MessageListProps {
  label: string;
  entries: Entry[];
  handlers: Omit<RowHandlers, 'onJump'>;
  hasOlder: boolean;
  loadingOlder: boolean;
  onLoadOlder: () => void;
}

interface Context {
  handlers: RowHandlers;
  highlightedId: number | null;
  loadingOlder: boolean;
}

function Row({ entry, context }: { entry: Entry; context: Context }) {
  const { t } = useTranslation('messages');
  const { handlers, highlightedId } = context;
  switch (entry.kind) {
    case 'day':
      return (
        <chakra.div data-separator display="flex" justifyContent="center" pt="3" pb="1">
          <DayPill day={entry.day} />
        </chakra.div>
      );
    case 'unread':
      return <Divider strong>{t('unread', { count: entry.count })}</Divider>;
    case 'ticket':
      return (
        <Divider>{t('ticketChange', { closed: entry.closedId, started: entry.startedId })}</Divider>
      );
    case 'event':
      return <EventLine event={entry.event} />;
    case 'message':
      return (
        <MessageRow
          message={entry.message}
          first={entry.first}
          highlighted={highlightedId === entry.message.id}
          handlers={handlers}
        />
      );
    case 'outbox':
      return (
        <MessageRow
          message={messageOfItem(entry.item)}
          item={entry.item}
          first={entry.first}
          highlighted={false}
          handlers={handlers}
        />
      );
  }
}

const Top = ({ context }: { context?: Context }) => (
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

/** The day at the top of what is seen; '' while its own line stands there. */
function dayAtTop(scroller: HTMLElement): string {
  const top = scroller.getBoundingClientRect().top;
  for (const row of scroller.querySelectorAll<HTMLElement>('[data-day]')) {
    const { bottom } = row.getBoundingClientRect();
    if (bottom < top + 8) continue;
    return row.querySelector('[data-separator]') ? '' : (row.dataset.day ?? '');
  }
  return '';
}

/** The conversation, only what is seen of it drawn; opens at its end. */
export function MessageList(props: MessageListProps) {
  const { label, entries, hasOlder, loadingOlder, onLoadOlder } = props;
  const { t } = useTranslation('messages');
  const list = useRef<VirtuosoHandle>(null);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [atBottom, setAtBottom] = useState(true);
  const [nearTop, setNearTop] = useState(false);
  const [seenId, setSeenId] = useState(() => newestId(entries));
  const [topDay, setTopDay] = useState('');
  const [highlightedId, setHighlightedId] = useState<number | null>(null);
  // The first message loaded at opening keeps its number for good: rows before it count down.
  const [anchorKey] = useState(() => entries.find(({ kind }) => kind === 'message')?.key);
  const anchor = Math.max(
    entries.findIndex(({ key }) => key === anchorKey),
    0,
  );

  useStayAtEnd(scroller);

  useEffect(() => {
    if (!scroller || !nearTop || !hasOlder || loadingOlder) return;
    // A page that has just come is still being put above what is seen.
    const timer = setTimeout(() => {
      if (scroller.scrollTop < OLDER_PX) onLoadOlder();
    }, PREPEND_MS);
    return () => clearTimeout(timer);
  }, [scroller, nearTop, hasOlder, loadingOlder, onLoadOlder]);

  useEffect(() => {
    if (!scroller) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      setTopDay(dayAtTop(scroller));
      setNearTop(scroller.scrollTop < OLDER_PX);
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    const settled = setTimeout(look, SETTLE_MS);
    scroller.addEventListener('scroll', soon, { passive: true });
    return () => {
      clearTimeout(settled);
      cancelAnimationFrame(frame);
      scroller.removeEventListener('scroll', soon);
    };
  }, [scroller]);

  // What I send is what I want to see, wherever I had scrolled to.
  const lastOutboxKey = entries.at(-1)?.kind === 'outbox' ? entries.at(-1)?.key : undefined;
  useEffect(() => {
    if (lastOutboxKey) list.current?.scrollToIndex({ index: 'LAST', align: 'end' });
  }, [lastOutboxKey]);

  useEffect(() => {
    if (highlightedId === null) return;
    const timer = setTimeout(() => setHighlightedId(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlightedId]);

  const onJump = useCallback(
    (messageId: number) => {
      const index = entries.findIndex(({ key }) => key === `message-${messageId}`);
      if (index < 0) return;
      list.current?.scrollToIndex({ index, align: 'center' });
      setHighlightedId(messageId);
    },
    [entries],
  );

  const newest = newestId(entries);
  if (atBottom && seenId !== newest) setSeenId(newest);
  const unseen = atBottom
    ? 0
    : entries.filter(
        (entry) => entry.kind === 'message' && !entry.message.fromMe && entry.message.id > seenId,
      ).length;
  const context: Context = {
    handlers: { ...props.handlers, onJump },
    highlightedId,
    loadingOlder,
  };

  return (
    <chakra.div position="relative" flex="1" minH="0">
      <Virtuoso<Entry, Context>
        ref={list}
        role="log"
        aria-label={label}
        // New messages are announced by a line of their own; scrolling back must not be.
        aria-live="off"
        aria-busy={loadingOlder}
        style={{ height: '100%', overflowX: 'hidden', overscrollBehavior: 'contain' }}
        data={entries}
        context={context}
        components={PARTS}
        computeItemKey={(_, entry) => entry.key}
        itemContent={(_, entry, rowContext) => (
          <chakra.div data-day={entry.day} px={{ base: '4', sm: '6' }}>
            <Row entry={entry} context={rowContext} />
          </chakra.div>
        )}
        firstItemIndex={FIRST_INDEX - anchor}
        initialTopMostItemIndex={{ index: 'LAST', align: 'end' }}
        alignToBottom
        atBottomThreshold={AT_BOTTOM_PX}
        atBottomStateChange={setAtBottom}
        followOutput={(isAtBottom) => (isAtBottom ? 'auto' : false)}
        increaseViewportBy={{ top: 600, bottom: 300 }}
        scrollerRef={(element) => setScroller(element instanceof HTMLElement ? element : null)}
      />
      {topDay && (
        <chakra.div
          aria-hidden
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
      {!atBottom && (
        <chakra.div position="absolute" bottom="3" insetEnd={{ base: '4', sm: '6' }}>
          <Tooltip content={t('toBottom')} placement="left">
            <chakra.button
              type="button"
              aria-label={unseen > 0 ? t('toBottomNew', { count: unseen }) : t('toBottom')}
              onClick={() => list.current?.scrollToIndex({ index: 'LAST', align: 'end' })}
              position="relative"
              display="flex"
              alignItems="center"
              justifyContent="center"
              w="10"
              h="10"
              borderRadius="full"
              bg="bg.raised"
              color="fg.muted"
              boxShadow="popover"
              cursor="pointer"
              _hover={{ color: 'fg.default' }}
              _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
            >
              <ArrowDown size={20} aria-hidden />
              {unseen > 0 && (
                <chakra.span position="absolute" top="-1.5" insetEnd="-1">
                  <CountBadge tone="brand" count={unseen} />
                </chakra.span>
              )}
            </chakra.button>
          </Tooltip>
        </chakra.div>
      )}
    </chakra.div>
  );
}
