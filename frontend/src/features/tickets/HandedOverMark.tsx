import { ArrowLeftRight } from 'lucide-react';
import { Badge } from '@/components/Badge';

/** Marks a ticket that was handed over and not opened since. */
export const HandedOverMark = ({ label }: { label: string }) => (
  <Badge tone="brand" role="img" aria-label={label} title={label}>
    <ArrowLeftRight size={12} strokeWidth={2.25} aria-hidden />
  </Badge>
);
