import { Plus } from 'lucide-react';
import { createContext, useContext, type ReactNode } from 'react';
import { useNarrow } from '@/lib/useMedia';
import { Button } from './Button';
import { IconButton } from './IconButton';

/** Whether it shares its line with what searches or counts. */
export const BesideTools = createContext(false);

/** Leads to something new; on a narrow screen its icon stands alone, so that a search keeps its room. */
export function AddButton({
  label,
  icon = <Plus size={16} aria-hidden />,
  variant = 'solid',
  onClick,
}: {
  label: string;
  icon?: ReactNode;
  variant?: 'solid' | 'outline';
  onClick: () => void;
}) {
  const isBeside = useContext(BesideTools);
  const isSquare = useNarrow() && isBeside;
  return isSquare ? (
    <IconButton label={label} icon={icon} variant={variant} onClick={onClick} />
  ) : (
    <Button icon={icon} variant={variant} onClick={onClick}>
      {label}
    </Button>
  );
}
