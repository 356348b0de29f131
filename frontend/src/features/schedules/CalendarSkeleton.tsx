import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/components/States';

/** Placeholder of the calendar while it loads. */
export function CalendarSkeleton() {
  const { t } = useTranslation();
  return (
    <chakra.div
      role="status"
      aria-label={t('loading')}
      flex="1"
      minH="0"
      display="grid"
      gridTemplateColumns="repeat(7, 1fr)"
      gridAutoRows="1fr"
      gap="1px"
      bg="border.subtle"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
    >
      {Array.from({ length: 42 }, (_, place) => (
        <chakra.div key={place} bg="bg.surface" p="2">
          <Skeleton display="block" w="5" h="4" />
          {(place * 7) % 5 < 2 && <Skeleton display="block" mt="3" h="4" />}
        </chakra.div>
      ))}
    </chakra.div>
  );
}
