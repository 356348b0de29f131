import { chakra } from '@chakra-ui/react';
import { CountList } from './CountList';
import { RowProgress } from './RowProgress';

interface SheetProgressProps {
  /** What is done with which file. */
  title: string;
  /** Why it came to nothing; '' where it did not. */
  failure: string;
  progressLabel: string;
  read: number;
  /** How many rows there are; null while nobody knows. */
  count: number | null;
  isRunning: boolean;
  /** How many rows are read, in words. */
  words: string;
  /** What became of them. */
  lines: readonly { id: string; label: string; count: number }[];
}

/** How far the import of a sheet is, or how it ended. */
export function SheetProgress(props: SheetProgressProps) {
  const { title, failure, progressLabel, read, count, isRunning, words, lines } = props;
  return (
    <>
      <chakra.div role={failure ? 'alert' : 'status'}>
        <chakra.p textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
          {title}
        </chakra.p>
        {failure && (
          <chakra.p mt="2" textStyle="sm" color="status.danger.fg">
            {failure}
          </chakra.p>
        )}
      </chakra.div>
      <RowProgress
        label={progressLabel}
        read={read}
        count={count}
        isRunning={isRunning}
        words={words}
      />
      {count !== null && <CountList lines={lines} />}
    </>
  );
}
