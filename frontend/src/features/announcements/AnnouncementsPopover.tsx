import { useInfiniteQuery } from '@tanstack/react-query';
import { Newspaper } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CountMark } from '@/components/CountMark';
import { IconButton } from '@/components/IconButton';
import { Popover } from '@/components/Popover';
import { SkeletonRows } from '@/components/States';
import { announcementsQuery } from './api';
import { useAnnouncementEvents } from './events';
import { useUnread } from './read';
import type { Announcement } from './types';

const AnnouncementList = lazy(() =>
  import('./AnnouncementList').then((file) => ({ default: file.AnnouncementList })),
);
const AnnouncementViewer = lazy(() =>
  import('./AnnouncementViewer').then((file) => ({ default: file.AnnouncementViewer })),
);

/** The operator's announcements, in the top bar, with the number of new ones. */
export function AnnouncementsPopover() {
  const { t } = useTranslation('announcements');
  const list = useInfiniteQuery(announcementsQuery());
  useAnnouncementEvents();
  const rows = list.data?.rows.filter(({ status }) => status);
  const [unread, markRead] = useUnread(rows ?? []);
  const [open, setOpen] = useState(false);
  const [viewed, setViewed] = useState<Announcement | null>(null);
  // Announcements that arrive while the list is open count as seen.
  useEffect(() => {
    if (open) markRead();
  });

  return (
    <>
      <Popover
        label={t('label')}
        width="360px"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <IconButton
            label={unread > 0 ? t('unread', { count: unread }) : t('label')}
            icon={<Newspaper size={20} />}
            mark={unread > 0 && <CountMark count={unread} />}
          />
        }
      >
        <Suspense fallback={<SkeletonRows rows={3} />}>
          <AnnouncementList
            rows={rows}
            query={list}
            onOpen={(row) => {
              setOpen(false);
              setViewed(row);
            }}
          />
        </Suspense>
      </Popover>
      <Suspense>
        {viewed && <AnnouncementViewer announcement={viewed} onClose={() => setViewed(null)} />}
      </Suspense>
    </>
  );
}
