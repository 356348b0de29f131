import { Plus } from 'lucide-react';
import { createContext, useContext, type ReactNode } from 'react';
import { useNarrow } from '@/lib/useMedia';
import { Button } from './Button';
import { IconButton } from './IconButton';

/** Whether the button shares its line with a search field or a count. */
export const BesideTools = createContext(false);

/** The button that adds a row; beside a search field on a narrow screen it shows only its icon. */
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
