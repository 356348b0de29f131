import { Plus } from 'lucide-react';
import { createContext, useContext } from 'react';
import { useNarrow } from '@/lib/useMedia';
import { Button } from './Button';
import { IconButton } from './IconButton';

/** Whether it shares its line with what searches or counts. */
export const BesideTools = createContext(false);

/** Leads to something new; on a narrow screen its plus stands alone, so that a search keeps its room. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  const isBeside = useContext(BesideTools);
  const isSquare = useNarrow() && isBeside;
  const icon = <Plus size={16} aria-hidden />;
  return isSquare ? (
    <IconButton label={label} icon={icon} variant="solid" onClick={onClick} />
  ) : (
    <Button icon={icon} onClick={onClick}>
      {label}
    </Button>
  );
}
