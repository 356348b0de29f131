import { chakra } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface ListPillProps {
  icon: LucideIcon;
  onClick: () => void;
  /** At the list's end instead of its top. */
  atEnd?: boolean;
  children: ReactNode;
}

/** A button over the edge of a list that says what is beyond it, and goes there. */
export function ListPill({ icon: Icon, onClick, atEnd = false, children }: ListPillProps) {
  return (
    <chakra.button
      type="button"
      onClick={onClick}
      position="absolute"
      {...(atEnd ? { bottom: '2' } : { top: '2' })}
      insetStart="50%"
      transform="translateX(-50%)"
      zIndex="docked"
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      h="7"
      px="3"
      borderRadius="full"
      bg="bg.raised"
      color="brand.fg"
      boxShadow="popover"
      textStyle="xs"
      fontWeight="semibold"
      whiteSpace="nowrap"
      cursor="pointer"
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
    >
      <Icon size={14} aria-hidden />
      {children}
    </chakra.button>
  );
}
