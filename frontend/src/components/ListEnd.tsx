import { chakra } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '@/lib/toast';
import { Button } from './Button';
import { LoadingMore } from './States';

/** The distance from its end, in px, at which a list loads the next page (rules/screens §2). */
export const NEAR_END_PX = 100;

/** The paging state of a list: an infinite query, or a query of one page. */
export interface Pages {
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
  isPlaceholderData?: boolean;
  error?: unknown;
  fetchNextPage?: () => Promise<unknown>;
}

interface ListEndProps {
  pages: Pages;
  /** Names the loaded things. */
  label?: string;
}

/** Loads the next page, if there is one; after a failure it is loaded only on request. */
export function loadNext(pages: Pages) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData } = pages;
  if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData)
    void pages.fetchNextPage?.();
}

/**
 * The end of a list's rows: loads the next page as soon as it comes near, however high the list is,
 * and shows the state like `NextPage`.
 */
export function ListEnd({ pages, label }: ListEndProps) {
  return (
    <>
      <NextPage pages={pages} {...(label && { label })} />
      {pages.hasNextPage && !pages.isFetchingNextPage && (
        <Sentinel onNear={() => loadNext(pages)} />
      )}
    </>
  );
}

/** Shows that the next page is loading or failed to load; virtual lists load it themselves. */
export function NextPage({ pages, label }: ListEndProps) {
  if (pages.isFetchingNextPage) return <LoadingMore {...(label && { label })} />;
  return pages.isFetchNextPageError && <MoreFailed onRetry={() => void pages.fetchNextPage?.()} />;
}

/** Reports in the place of the next rows that they failed to load. */
export function MoreFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <chakra.div
      role="alert"
      display="flex"
      alignItems="center"
      justifyContent="center"
      flexWrap="wrap"
      columnGap="2"
      minH="10"
      px="3"
      py="1"
      textStyle="sm"
      color="fg.muted"
    >
      {t('error.title')}
      <Button variant="ghost" size="sm" icon={<RotateCw size={16} />} onClick={onRetry}>
        {t('actions.retry')}
      </Button>
    </chakra.div>
  );
}

/** Loads the next page on request; the same button, which keeps the focus, tries it once more. */
export function MoreButton({ pages, label }: { pages: Pages; label: string }) {
  const { t } = useTranslation();
  if (!pages.hasNextPage) return null;
  const hasFailed = pages.isFetchNextPageError && !pages.isFetchingNextPage;
  return (
    <chakra.div display="flex" alignItems="center" flexWrap="wrap" columnGap="3" rowGap="2">
      {hasFailed && (
        <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
          {errorMessage(pages.error)}
        </chakra.p>
      )}
      <Button
        variant="outline"
        size="sm"
        loading={pages.isFetchingNextPage ?? false}
        onClick={() => void pages.fetchNextPage?.()}
      >
        {hasFailed ? t('actions.retry') : label}
      </Button>
    </chakra.div>
  );
}

function Sentinel({ onNear }: { onNear: () => void }) {
  const ref = useRef<HTMLSpanElement>(null);
  const tell = useEffectEvent(onNear);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) tell();
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return (
    <chakra.div aria-hidden position="relative">
      {/* Overlaps the last rows; clicks pass through to them. */}
      <chakra.span
        ref={ref}
        position="absolute"
        bottom="0"
        insetStart="0"
        w="1px"
        style={{ height: NEAR_END_PX }}
        pointerEvents="none"
      />
    </chakra.div>
  );
}
