import { chakra } from '@chakra-ui/react';
import { Logo } from './Logo';

/** Fills the screen while the application starts. */
export function Splash({ label }: { label?: string }) {
  return (
    <chakra.div
      role="status"
      aria-label={label}
      h="full"
      display="flex"
      alignItems="center"
      justifyContent="center"
      bg="bg.canvas"
      animation="pulse 1.6s ease-in-out infinite"
    >
      <Logo size={44} />
    </chakra.div>
  );
}
