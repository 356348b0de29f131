import { chakra } from '@chakra-ui/react';
import { Image, Newspaper } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ListEnd, type Pages } from '@/components/ListEnd';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { formatLastMessageTime } from '@/lib/format';
import { EDGES } from './priority';
import type { Announcement } from './types';

interface AnnouncementListProps {
  rows: Announcement[] | undefined;
  query: Pages & {
    error: unknown;
    refetch: () => Promise<unknown>;
  };
  onOpen: (row: Announcement) => void;
}

/** The active announcements, newest first, each with the colour of its priority. */
export function AnnouncementList({ rows, query, onOpen }: AnnouncementListProps) {
  const { t } = useTranslation('announcements');
  if (!rows) {
    return query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <SkeletonRows rows={3} />
    );
  }
  if (rows.length === 0) {
    return <EmptyState icon={<Newspaper size={20} />} title={t('none')} text={t('noneText')} />;
  }
  return (
    <chakra.div mx="-2" maxH="min(420px, 60dvh)" overflowY="auto" tabIndex={-1}>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
        {rows.map((row) => (
          <li key={row.id}>
            <Entry row={row} onOpen={() => onOpen(row)} />
          </li>
        ))}
      </chakra.ul>
      <ListEnd pages={query} />
    </chakra.div>
  );
}

function Entry({ row, onOpen }: { row: Announcement; onOpen: () => void }) {
  const { t } = useTranslation('announcements');
  return (
    <chakra.button
      type="button"
      onClick={onOpen}
      display="block"
      w="full"
      minH="11"
      ps="3"
      pe="2"
      py="2"
      textAlign="start"
      borderStartWidth="3px"
      borderColor={EDGES[row.priority]}
      borderEndRadius="sm"
      cursor="pointer"
      _hover={{ bg: 'bg.hover' }}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
    >
      <chakra.span display="flex" alignItems="baseline" gap="2">
        <chakra.span srOnly>{t(`priority.${row.priority}`)}: </chakra.span>
        <chakra.span flex="1" minW="0" textStyle="sm" fontWeight="semibold" truncate>
          {row.title}
        </chakra.span>
        <chakra.time
          dateTime={row.createdAt}
          flexShrink="0"
          textStyle="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
        >
          {formatLastMessageTime(row.createdAt)}
        </chakra.time>
      </chakra.span>
      <chakra.span display="flex" gap="1.5" color="fg.muted" textStyle="sm">
        {row.mediaPath && (
          <chakra.span flexShrink="0" pt="0.5">
            <Image size={16} aria-label={t('withPicture')} />
          </chakra.span>
        )}
        <chakra.span lineClamp="2" overflowWrap="anywhere">
          {row.text}
        </chakra.span>
      </chakra.span>
    </chakra.button>
  );
}
