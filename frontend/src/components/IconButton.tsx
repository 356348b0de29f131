import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './Button';

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children' | 'square'> {
  /** Its name, for the tooltip and for screen readers. */
  label: string;
  icon: ReactNode;
  /** A dot or count over the icon. */
  mark?: ReactNode;
}

/** A square button of one icon; its label shows as a tooltip. */
export function IconButton({ label, icon, mark, variant = 'ghost', ...props }: IconButtonProps) {
  return (
    <Button
      aria-label={label}
      data-tooltip={label}
      variant={variant}
      square
      position="relative"
      {...props}
    >
      {props.loading ? null : icon}
      {mark}
    </Button>
  );
}
