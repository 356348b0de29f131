import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { BesideTools } from './AddButton';

interface PageProps {
  /** Search and filters, at the start of the line above the content. */
  tools?: ReactNode;
  /** The one primary action, at the end of the line. */
  action?: ReactNode;
  children: ReactNode;
}

/**
 * A management page: a line of tools, then the content. The top bar already shows the page's name.
 */
export function Page({ tools, action, children }: PageProps) {
  return (
    <chakra.div
      flex="1"
      minH="0"
      display="flex"
      flexDirection="column"
      gap="4"
      p={{ base: '4', sm: '6' }}
      bg="bg.canvas"
    >
      {(tools !== undefined || action !== undefined) && (
        <chakra.div display="flex" gap="3" alignItems="center" justifyContent="space-between">
          <chakra.div flex="1" maxW="360px" minW="0">
            {tools}
          </chakra.div>
          <BesideTools value={Boolean(tools)}>{action}</BesideTools>
        </chakra.div>
      )}
      {children}
    </chakra.div>
  );
}
