import { chakra } from '@chakra-ui/react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/components/States';

const BUBBLES = [
  { out: false, w: 220, h: 34 },
  { out: false, w: 148, h: 34 },
  { out: true, w: 300, h: 54 },
  { out: false, w: 264, h: 34 },
  { out: true, w: 190, h: 34 },
  { out: true, w: 240, h: 34 },
  { out: false, w: 304, h: 54 },
  { out: true, w: 170, h: 34 },
];

/** The placeholder of the messages while they load; memoised, since it covers what renders. */
export const ThreadSkeleton = memo(function ThreadSkeleton() {
  const { t } = useTranslation();
  return (
    <chakra.div
      role="status"
      aria-label={t('loading')}
      flex="1"
      minH="0"
      overflow="hidden"
      display="flex"
      flexDirection="column"
      justifyContent="flex-end"
      gap="2"
      px={{ base: '4', sm: '6' }}
      pb="3"
    >
      {BUBBLES.map(({ out, w, h }, index) => (
        <Skeleton
          key={index}
          alignSelf={out ? 'flex-end' : 'flex-start'}
          maxW="82%"
          flexShrink="0"
          borderRadius="lg"
          bg="border.subtle"
          style={{ width: w, height: h }}
        />
      ))}
    </chakra.div>
  );
});
