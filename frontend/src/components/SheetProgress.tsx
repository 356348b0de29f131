import { chakra } from '@chakra-ui/react';
import { CountList } from './CountList';
import { RowProgress } from './RowProgress';

interface SheetProgressProps {
  /** Names the operation and the file. */
  title: string;
  /** Why the import failed; '' if it did not. */
  failure: string;
  progressLabel: string;
  read: number;
  /** The number of rows; null while it is unknown. */
  count: number | null;
  isRunning: boolean;
  /** The number of rows read, in words. */
  words: string;
  /** The results of the rows. */
  lines: readonly { id: string; label: string; count: number }[];
}

/** The progress or the result of a sheet's import. */
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
