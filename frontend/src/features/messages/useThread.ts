import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStableCallback } from '@/lib/useStableCallback';
import { fetchPage, messagesKey, messagesQuery } from './api';
import { endsEarly, messagesOf } from './fold';
import type { MessagePages, PagePlace } from './types';

/** A message to bring into sight; another `turn` brings the same one again. */
export interface Target {
  messageId: number;
  turn: number;
}

/**
 * The loaded part of a conversation, and ways to other parts of it. `part` changes when what is
 * loaded was replaced rather than added to.
 */
export function useThread(
  ticketId: number,
  focusMessageId: number | undefined,
  onLost: (error: unknown) => void,
) {
  const client = useQueryClient();
  const query = useInfiniteQuery(messagesQuery(ticketId));
  const [part, setPart] = useState(0);
  const [target, setTarget] = useState<Target | null>(null);
  const [focusedId, setFocusedId] = useState<number>();
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

  /** Brings a message into sight, loading what is around it when it is far. */
  const jump = useCallback(
    async (messageId: number) => {
      const turn = (turns.current += 1);
      const loaded = messagesOf(client.getQueryData<MessagePages>(messagesKey(ticketId)));
      try {
        if (!loaded.some(({ id }) => id === messageId)) await load({ around: messageId });
        // A later wish has overtaken this one.
        if (turns.current === turn) setTarget({ messageId, turn });
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
    if (focusMessageId === undefined || !isLoaded || focusedId === focusMessageId) return;
    void Promise.resolve()
      .then(() => jump(focusMessageId))
      .then(() => setFocusedId(focusMessageId));
  }, [focusMessageId, focusedId, isLoaded, jump]);

  return {
    query,
    part,
    target,
    jump,
    toNewest,
    /** Loaded, and at the message that was asked for. */
    isReady: isLoaded && (focusMessageId === undefined || focusedId !== undefined),
    hasNewer: endsEarly(query.data),
    arrivedCount: query.data?.pages[0]?.arrivedIds?.length ?? 0,
  };
}
