import { chakra } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import { LoadingMore } from './States';

/** How far from its end a list asks for the next page, in px (rules/screens §2). */
export const NEAR_END_PX = 100;

/** What a list knows of its pages: an infinite query, or a query of one page. */
export interface Pages {
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
  isPlaceholderData?: boolean;
  fetchNextPage?: () => Promise<unknown>;
}

interface ListEndProps {
  pages: Pages;
  /** What is loaded. */
  label?: string;
}

/** Ask for the next page, if there is one; one that did not come waits for whoever asks again. */
export function loadNext(pages: Pages) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData } = pages;
  if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData)
    void pages.fetchNextPage?.();
}

/**
 * Stands at the end of a list's rows: asks for the next page as soon as it is near, however high
 * the list is, and says what `NextPage` says.
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

/** Says that the next page is on its way or did not come; virtual lists ask for it themselves. */
export function NextPage({ pages, label }: ListEndProps) {
  if (pages.isFetchingNextPage) return <LoadingMore {...(label && { label })} />;
  return pages.isFetchNextPageError && <MoreFailed onRetry={() => void pages.fetchNextPage?.()} />;
}

/** Says that further rows did not come, where they would stand. */
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
      {/* Reaches up into the rows, which are pressed through it. */}
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
