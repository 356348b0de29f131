import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A section of the page with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <chakra.section
      aria-label={title}
      display="flex"
      flexDirection="column"
      gap="3"
      p={{ base: '4', sm: '6' }}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      minW="0"
      textStyle="sm"
    >
      <chakra.h2 textStyle="md" fontWeight="semibold">
        {title}
      </chakra.h2>
      {children}
    </chakra.section>
  );
}

export const Words = ({ children }: { children: ReactNode }) => (
  <chakra.p color="fg.muted" maxW="75ch">
    {children}
  </chakra.p>
);
