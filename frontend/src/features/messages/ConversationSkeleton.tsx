import { chakra } from '@chakra-ui/react';
import { Skeleton } from '@/components/States';
import { ThreadSkeleton } from './ThreadSkeleton';

/** The placeholder of a conversation whose ticket is not loaded. */
export function ConversationSkeleton() {
  return (
    <chakra.div display="flex" flexDirection="column" flex="1" minH="0" bg="bg.thread">
      <chakra.div flexShrink="0" h="96px" px="5" pt="2.5" bg="bg.surface" borderBottomWidth="1px">
        <chakra.div display="flex" alignItems="center" gap="3">
          <Skeleton w="10" h="10" borderRadius="full" flexShrink="0" />
          <chakra.div display="flex" flexDirection="column" gap="2" flex="1">
            <Skeleton h="3.5" w="40%" />
            <Skeleton h="2.5" w="25%" />
          </chakra.div>
        </chakra.div>
      </chakra.div>
      <ThreadSkeleton />
      <chakra.div flexShrink="0" px={{ base: '2', sm: '4' }} pt="2" pb={{ base: '2', sm: '3' }}>
        <Skeleton display="block" h="98px" w="full" borderRadius="lg" bg="border.subtle" />
      </chakra.div>
    </chakra.div>
  );
}
