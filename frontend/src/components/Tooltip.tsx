import { Tooltip as Chakra } from '@chakra-ui/react';
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Portal } from './Portal';

interface TooltipProps {
  content: ReactNode;
  children: ReactElement;
  placement?: 'top' | 'right' | 'bottom' | 'left';
  disabled?: boolean;
}

export function Tooltip({ content, children, placement = 'bottom', disabled }: TooltipProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', hear, true);
    return () => document.removeEventListener('keydown', hear, true);
  }, [isOpen]);
  if (disabled || !content) return children;
  return (
    <Chakra.Root
      open={isOpen}
      onOpenChange={({ open }) => setOpen(open)}
      // Escape is closed by ours above: this one would keep the key from what is under the tooltip.
      closeOnEscape={false}
      openDelay={400}
      closeDelay={0}
      positioning={{ placement }}
      lazyMount
      unmountOnExit
    >
      <Chakra.Trigger asChild>{children}</Chakra.Trigger>
      <Portal>
        <Chakra.Positioner>
          <Chakra.Content>{content}</Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
