import { chakra } from '@chakra-ui/react';
import { SquareKanban } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/components/Button';
import { EmptyState, Skeleton } from '@/components/States';
import { paths } from '@/routes/paths';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { CardSkeletons } from './LaneColumn';

/** The placeholder of the board while its columns load. */
export function LaneSkeletons() {
  const { t } = useTranslation('kanban');
  return (
    <chakra.div
      role="status"
      aria-label={t('loading')}
      flex="1"
      minH="0"
      display="flex"
      gap="3"
      px={{ base: '4', sm: '6' }}
      overflow="hidden"
    >
      {[4, 2, 3, 1].map((cards, lane) => (
        <chakra.div
          key={lane}
          flexShrink="0"
          w={{ base: 'calc(100vw - 56px)', sm: '272px' }}
          px="2"
          bg="bg.thread"
          borderWidth="1px"
          borderRadius="md"
        >
          <chakra.div display="flex" alignItems="center" h="10" px="2">
            <Skeleton h="3" w="28" />
          </chakra.div>
          <CardSkeletons cards={cards} />
        </chakra.div>
      ))}
    </chakra.div>
  );
}

/** Without kanban tags: explains them, with a link to create one for users who may. */
export function NoLanes() {
  const { t } = useTranslation('kanban');
  const user = useCurrentUser();
  const mayCreate = may(user, 'queues:manage');
  return (
    <chakra.div
      display="flex"
      flex="1"
      minW={{ base: 'calc(100vw - 56px)', sm: '272px' }}
      borderWidth="1px"
      borderStyle="dashed"
      borderRadius="md"
      scrollSnapAlign="center"
    >
      <EmptyState
        icon={<SquareKanban size={20} />}
        title={t('noLanes.title')}
        text={mayCreate ? t('noLanes.create') : t('noLanes.ask')}
        {...(mayCreate && {
          action: (
            <Button asChild variant="outline" size="sm">
              <Link to={paths.tags}>{t('noLanes.action')}</Link>
            </Button>
          ),
        })}
      />
    </chakra.div>
  );
}
