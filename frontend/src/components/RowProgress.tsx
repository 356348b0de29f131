import { chakra } from '@chakra-ui/react';

interface RowProgressProps {
  label: string;
  read: number;
  /** null while nobody knows. */
  count: number | null;
  isRunning: boolean;
  /** How far it is, in words. */
  words: string;
}

/** How many rows of a sheet are read: a bar while it runs, and the same in words. */
export function RowProgress({ label, read, count, isRunning, words }: RowProgressProps) {
  return (
    <>
      {isRunning && (
        <chakra.progress
          w="full"
          aria-label={label}
          max={count ?? 1}
          {...(count !== null && { value: read })}
        />
      )}
      {count !== null && (
        <chakra.p textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {words}
        </chakra.p>
      )}
    </>
  );
}
