import { Dialog } from './Dialog';
import { ErrorState, SkeletonFields } from './States';

interface LoadingDialogProps {
  title: string;
  query: { error: unknown; refetch: () => Promise<unknown> };
  size?: 'md' | 'lg';
  /** The heights of the skeletons in place of the fields. */
  heights?: readonly string[];
  onClose: () => void;
}

/** The dialog of a form while its record loads, or with the reason why that failed. */
export function LoadingDialog({ title, query, size = 'md', heights, onClose }: LoadingDialogProps) {
  return (
    <Dialog open size={size} onClose={onClose} title={title}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonFields {...(heights && { heights })} />
      )}
    </Dialog>
  );
}
