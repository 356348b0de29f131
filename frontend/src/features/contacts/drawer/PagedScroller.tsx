import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { ListEnd, type Pages } from '@/components/ListEnd';

/** A part that scrolls by itself and loads further pages near its end. */
export function PagedScroller({ query, children }: { query: Pages; children: ReactNode }) {
  return (
    <chakra.div flex="1" minH="0" overflowY="auto" position="relative">
      {children}
      <ListEnd pages={query} />
    </chakra.div>
  );
}
