import { Popover as Chakra } from '@chakra-ui/react';
import { Suspense, type ReactElement, type ReactNode } from 'react';
import { Portal } from './Portal';
import { SkeletonFields } from './States';

interface PopoverProps {
  trigger: ReactElement;
  /** Its name for screen readers. */
  label: string;
  children: ReactNode;
  width?: string;
  placement?: 'bottom' | 'bottom-start' | 'bottom-end' | 'top' | 'top-start' | 'top-end';
  /** For controlled use; without them the popover opens and closes by itself. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The element to focus first, if that is not the first one. */
  initialFocus?: () => HTMLElement | null;
  /** The element to focus when it closes; by default the trigger. */
  finalFocus?: () => HTMLElement | null;
}

export function Popover(props: PopoverProps) {
  const { trigger, label, children, width = '280px', placement = 'bottom-end' } = props;
  return (
    <Chakra.Root
      positioning={{ placement }}
      {...(props.open !== undefined && { open: props.open })}
      onOpenChange={(details) => props.onOpenChange?.(details.open)}
      initialFocusEl={props.initialFocus}
      finalFocusEl={props.finalFocus}
      lazyMount
      unmountOnExit
    >
      <Chakra.Trigger asChild>{trigger}</Chakra.Trigger>
      <Portal>
        <Chakra.Positioner>
          <Chakra.Content w={width} aria-label={label}>
            <Chakra.Body>
              <Suspense fallback={<SkeletonFields />}>{children}</Suspense>
            </Chakra.Body>
          </Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
