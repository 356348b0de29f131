import { Portal, Tooltip as Chakra } from '@chakra-ui/react';
import type { ReactElement, ReactNode } from 'react';

interface TooltipProps {
  content: ReactNode;
  children: ReactElement;
  placement?: 'top' | 'right' | 'bottom' | 'left';
  disabled?: boolean;
}

export function Tooltip({ content, children, placement = 'bottom', disabled }: TooltipProps) {
  if (disabled || !content) return children;
  return (
    <Chakra.Root openDelay={400} closeDelay={0} positioning={{ placement }} lazyMount unmountOnExit>
      <Chakra.Trigger asChild>{children}</Chakra.Trigger>
      <Portal>
        <Chakra.Positioner>
          <Chakra.Content>{content}</Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
