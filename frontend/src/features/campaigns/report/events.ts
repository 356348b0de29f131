import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { newerOf } from '../fold';
import { campaignKeys } from '../keys';
import type { Campaign } from '../types';
import { reportKeys } from './api';
import type { CampaignReport } from './types';

/** The last ticks arrive shortly after the end. */
export const AFTER_END_MS = 5000;

/**
 * While the campaign runs, the recipients are fetched each second if they are not more pages than
 * this.
 */
const MOST_PAGES = 3;
const pagesIn = (data: unknown) => {
  const pages = (data as { pages?: unknown } | undefined)?.pages;
  return Array.isArray(pages) ? pages.length : 0;
};

function applyToReport(client: QueryClient, told: Campaign) {
  changeQueries<CampaignReport>(client, reportKeys.report(told.id), (report) => ({
    ...report,
    campaign: newerOf(report.campaign, told),
  }));
}

/** Keeps a campaign's report up to date: its state at once, its figures when they are fetched. */
export function useReportEvents(campaignId: number) {
  const client = useQueryClient();
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), [campaignId]);
  const again = (most = Infinity) =>
    void client.invalidateQueries({
      queryKey: campaignKeys.one(campaignId),
      predicate: ({ state: { data } }) => pagesIn(data) <= most,
    });
  useCompanyEvent('campaign', (event) => {
    if (event.action === 'delete') {
      if (event.id === campaignId) again();
      return;
    }
    if (event.record.id !== campaignId) return;
    const before = client.getQueryData<CampaignReport>(reportKeys.report(campaignId))?.campaign
      .status;
    applyToReport(client, event.record);
    window.clearTimeout(timer.current);
    const { status } = event.record;
    if (status === 'FINALIZADA') timer.current = window.setTimeout(again, AFTER_END_MS);
    else again(status === before ? MOST_PAGES : undefined);
  });
}
