import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { CancelButton, Dialog } from '@/components/Dialog';
import { fileAddress } from '@/lib/files';
import { formatDateTime } from '@/lib/format';
import { TONES } from './priority';
import type { Announcement } from './types';

interface AnnouncementViewerProps {
  announcement: Announcement;
  onClose: () => void;
}

/** One announcement with its picture. */
export function AnnouncementViewer({ announcement, onClose }: AnnouncementViewerProps) {
  const { t } = useTranslation(['announcements', 'common']);
  const { title, text, priority, mediaPath, mediaName, createdAt } = announcement;
  const [isBroken, setBroken] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={<CancelButton>{t('common:actions.close')}</CancelButton>}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.div display="flex" alignItems="center" gap="2" textStyle="xs" color="fg.muted">
          <Badge tone={TONES[priority]} h="5" px="2">
            {t(`priority.${priority}`)}
          </Badge>
          <chakra.time dateTime={createdAt} fontVariantNumeric="tabular-nums">
            {formatDateTime(createdAt)}
          </chakra.time>
        </chakra.div>
        <chakra.p textStyle="md" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {text}
        </chakra.p>
        {mediaPath && !isBroken && (
          <chakra.a href={fileAddress(mediaPath)} target="_blank" rel="noopener noreferrer">
            <chakra.img
              src={fileAddress(mediaPath)}
              alt={t('pictureOf', { name: mediaName })}
              maxW="full"
              maxH="60dvh"
              mx="auto"
              borderRadius="md"
              onError={() => setBroken(true)}
            />
          </chakra.a>
        )}
        {isBroken && (
          <chakra.p role="alert" textStyle="sm" color="fg.muted">
            {t('pictureGone')}
          </chakra.p>
        )}
      </chakra.div>
    </Dialog>
  );
}
