import { EmptyState } from '@/components/States';

export function Component() {
  return <EmptyState />;
}
