import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useCompanyEvent } from '@/lib/socket';
import { useCurrentUser } from '@/stores/session';
import { writersQuery } from './api';
import type { Writer } from './types';
import type { Viewer } from './viewers';

/** What each user writes, by their id. */
export type Writing = ReadonlyMap<number, Pick<Writer, 'writer' | 'text' | 'at'>>;

const NOTHING: Writing = new Map();

/** Notes what somebody writes; what is older than the known text changes nothing. */
export function foldWriting(
  writing: Writing,
  news: Pick<Writer, 'writer' | 'text' | 'at'>,
): Writing {
  const known = writing.get(news.writer.id);
  if (known && Date.parse(known.at) > Date.parse(news.at)) return writing;
  return new Map(writing).set(news.writer.id, news);
}

/** Those who have the conversation open and have begun a text. */
export const writersAmong = (writing: Writing, viewers: readonly Viewer[]) =>
  viewers.flatMap(({ id }) => {
    const one = writing.get(id);
    return one?.text.trim() ? [one] : [];
  });

export type Writers = ReturnType<typeof writersAmong>;

/**
 * Who else is writing in the conversation, among those who have it open. The server is asked when
 * somebody else is there, and tells of each text after.
 */
export function useOtherWriters(ticketId: number, viewers: readonly Viewer[]): Writers {
  const user = useCurrentUser();
  const [heard, setHeard] = useState(NOTHING);
  useCompanyEvent('ticketWriting', (event) => {
    if (event.ticketId === ticketId && event.writer.id !== user.id)
      setHeard((before) => foldWriting(before, event));
  });
  useEffect(() => () => setHeard(NOTHING), [ticketId]);
  const { data } = useQuery({ ...writersQuery(ticketId), enabled: viewers.length > 0 });
  return useMemo(() => {
    const all = (data?.writers ?? []).reduce<Writing>(foldWriting, NOTHING);
    return writersAmong([...heard.values()].reduce(foldWriting, all), viewers);
  }, [data, heard, viewers]);
}
