import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { onScrollNearEnd } from '@/components/DataTable';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** A part that scrolls by itself and loads further pages near its end, or at the press of a button. */
export function PagedScroller({ query, children }: { query: Pages; children: ReactNode }) {
  const { t } = useTranslation('contactDrawer');
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const more = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  return (
    <chakra.div
      flex="1"
      minH="0"
      overflowY="auto"
      position="relative"
      onScroll={onScrollNearEnd(more)}
    >
      {children}
      {hasNextPage && (
        <chakra.div display="flex" justifyContent="center" p="3">
          <Button variant="ghost" size="sm" loading={isFetchingNextPage} onClick={more}>
            {t('more')}
          </Button>
        </chakra.div>
      )}
    </chakra.div>
  );
}
