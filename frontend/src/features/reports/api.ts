import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { askedActivity, askedConversations, askedFigures, type Search } from './search';
import type { ActivityReport, ConversationReport, ReportFigures } from './types';

export type * from './types';

/** The figures of the asked conversations. */
export const figuresQuery = (search: Search) =>
  queryOptions({
    queryKey: ['reports', 'figures', askedFigures(search)] as const,
    queryFn: ({ signal }) =>
      api.get<ReportFigures>('/reports/figures', askedFigures(search), signal),
    placeholderData: keepPreviousData,
  });

/** The asked conversations, the latest first. */
export const conversationsQuery = (search: Search) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'conversations', askedConversations(search)] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ConversationReport>(
        '/reports/conversations',
        { ...askedConversations(search), ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last: ConversationReport) => last.next,
    placeholderData: keepPreviousData,
  });

/** What people did on each day. */
export const activityQuery = (search: Search) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'activity', askedActivity(search)] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ActivityReport>(
        '/reports/activity',
        { ...askedActivity(search), ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last: ActivityReport) => last.next,
    placeholderData: keepPreviousData,
  });

export type FileKind = 'csv' | 'xlsx';

/** All asked conversations as a file. */
export const fetchConversations = (search: Search, file: FileKind) =>
  api.file('/reports/conversations/export', { ...askedConversations(search), file });

/** All asked days of people as a file. */
export const fetchActivity = (search: Search, file: FileKind) =>
  api.file('/reports/activity/export', { ...askedActivity(search), file });
