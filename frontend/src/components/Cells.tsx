import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { formatDateTime } from '@/lib/format';

/** The name of a row. */
export function RowName({ children }: { children: ReactNode }) {
  return (
    <chakra.span fontWeight="semibold" overflowWrap="anywhere">
      {children}
    </chakra.span>
  );
}

/** The name of a row's file, or a note that there is none. */
export function FileName({ icon, name }: { icon: ReactNode; name: string | null }) {
  if (!name) return <chakra.span color="fg.muted">–</chakra.span>;
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5" minW="0">
      <chakra.span flexShrink="0" display="flex" color="fg.muted">
        {icon}
      </chakra.span>
      <chakra.span truncate maxW="200px" title={name}>
        {name}
      </chakra.span>
    </chakra.span>
  );
}

/** Day and time of an event. */
export function DateTime({ at }: { at: string }) {
  return (
    <chakra.time
      dateTime={at}
      whiteSpace="nowrap"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
    >
      {formatDateTime(at)}
    </chakra.time>
  );
}
