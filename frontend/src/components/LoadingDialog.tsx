import { chakra } from '@chakra-ui/react';
import { Dialog } from './Dialog';
import { ErrorState, Skeleton } from './States';

interface LoadingDialogProps {
  title: string;
  query: { error: unknown; refetch: () => Promise<unknown> };
  size?: 'md' | 'lg';
  /** Of the grey shapes that stand where fields will be. */
  heights?: readonly string[];
  onClose: () => void;
}

/** A form's dialog until what it edits is there, or why it is not. */
export function LoadingDialog({
  title,
  query,
  size = 'md',
  heights = ['9', '9', '9'],
  onClose,
}: LoadingDialogProps) {
  return (
    <Dialog open size={size} onClose={onClose} title={title}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <chakra.div role="status" display="flex" flexDirection="column" gap="4">
          {heights.map((height, index) => (
            <Skeleton key={index} h={height} />
          ))}
        </chakra.div>
      )}
    </Dialog>
  );
}
