import { chakra } from '@chakra-ui/react';

interface RowProgressProps {
  label: string;
  read: number;
  /** null while the number is unknown. */
  count: number | null;
  isRunning: boolean;
  /** The progress in words. */
  words: string;
}

/** The progress of reading a sheet: a bar while it runs, and the same in words. */
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
