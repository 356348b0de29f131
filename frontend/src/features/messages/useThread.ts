import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStableCallback } from '@/lib/useStableCallback';
import { fetchPage, messagesKey, messagesQuery } from './api';
import type { RowKey } from './entries';
import { activitiesOf, endsEarly, messagesOf } from './fold';
import type { MessagePages, PagePlace } from './types';

/** A message or note to scroll to; another `turn` scrolls to the same one again. */
export interface Target {
  key: RowKey;
  turn: number;
}

/**
 * The loaded part of a conversation, and functions that load other parts. `part` changes when the
 * loaded part was replaced, not extended.
 */
export function useThread(
  ticketId: number,
  focusKey: RowKey | undefined,
  onLost: (error: unknown) => void,
) {
  const client = useQueryClient();
  const query = useInfiniteQuery(messagesQuery(ticketId));
  const [part, setPart] = useState(0);
  const [target, setTarget] = useState<Target | null>(null);
  const [focusedKey, setFocusedKey] = useState<RowKey>();
  const turns = useRef(0);
  const lost = useStableCallback(onLost);

  const load = useCallback(
    async (place: PagePlace) => {
      const queryKey = messagesKey(ticketId);
      const page = await fetchPage(ticketId, place);
      await client.cancelQueries({ queryKey, exact: true });
      client.setQueryData<MessagePages>(queryKey, { pages: [page], pageParams: [place] });
      setPart((before) => before + 1);
    },
    [client, ticketId],
  );

  /** Scrolls to a message or a note; loads the messages around it if it is not loaded. */
  const jump = useCallback(
    async (key: RowKey) => {
      const turn = (turns.current += 1);
      const pages = client.getQueryData<MessagePages>(messagesKey(ticketId));
      const isMessage = key.startsWith('message-');
      const wanted = Number(key.slice(key.indexOf('-') + 1));
      const loaded: { id: number }[] = isMessage ? messagesOf(pages) : activitiesOf(pages);
      try {
        if (!loaded.some(({ id }) => id === wanted))
          await load(isMessage ? { around: wanted } : { aroundNote: wanted });
        // A newer request has superseded this one.
        if (turns.current === turn) setTarget({ key, turn });
      } catch (error) {
        lost(error);
      }
    },
    [client, ticketId, load, lost],
  );

  const toNewest = useCallback(async () => {
    turns.current += 1;
    try {
      await load({});
      setTarget(null);
    } catch (error) {
      lost(error);
    }
  }, [load, lost]);

  const isLoaded = Boolean(query.data?.pages.length);
  useEffect(() => {
    if (focusKey === undefined || !isLoaded || focusedKey === focusKey) return;
    void Promise.resolve()
      .then(() => jump(focusKey))
      .then(() => setFocusedKey(focusKey));
  }, [focusKey, focusedKey, isLoaded, jump]);

  return {
    query,
    part,
    target,
    jump,
    toNewest,
    /** Whether the messages are loaded and the requested row is the target. */
    isReady: isLoaded && (focusKey === undefined || focusedKey !== undefined),
    hasNewer: endsEarly(query.data),
    arrivedCount: query.data?.pages[0]?.arrivedIds?.length ?? 0,
  };
}
