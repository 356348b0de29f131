import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleQuestionMark } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Page } from '@/components/Page';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { foldText } from '@/lib/search';
import { useCurrentUser } from '@/stores/session';
import { buttonRecipe } from '@/theme/recipes/controls';
import { helpsQuery } from './api';
import { useHelpEvents } from './events';
import { HelpCard } from './HelpCard';
import { HelpPlayer } from './HelpPlayer';
import type { Help } from './types';

/** The page where the super user edits them. */
const KEPT = '/settings?tab=helps';
const ButtonLink = chakra(Link, buttonRecipe);

const GRID = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(264px, 100%), 1fr))',
  gap: '4',
  listStyleType: 'none',
} as const;

/** Films that show how things are done (rules/announcements §5). */
export function HelpsPage() {
  const { t } = useTranslation(['helps', 'common']);
  const { data, error, refetch } = useQuery(helpsQuery());
  useHelpEvents();
  const [search, setSearch] = useState('');
  const [played, setPlayed] = useState<Help | null>(null);
  const term = foldText(search);
  const found = data?.filter(({ title, description }) =>
    foldText(`${title} ${description}`).includes(term),
  );

  return (
    <Page
      tools={
        data && data.length > 0 ? (
          <SearchInput label={t('search')} value={search} onSearch={setSearch} />
        ) : undefined
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !found ? (
        <SkeletonCards />
      ) : data?.length === 0 ? (
        <NothingYet />
      ) : found.length === 0 ? (
        <EmptyState
          icon={<CircleQuestionMark size={20} />}
          title={t('empty.search', { text: search.trim() })}
        />
      ) : (
        <chakra.div flex="1" minH="0" overflowY="auto" m="-2" p="2">
          <chakra.ul aria-label={t('label')} {...GRID}>
            {found.map((help) => (
              <li key={help.id}>
                <HelpCard help={help} onPlay={() => setPlayed(help)} />
              </li>
            ))}
          </chakra.ul>
        </chakra.div>
      )}
      {played && <HelpPlayer help={played} onClose={() => setPlayed(null)} />}
    </Page>
  );
}

function NothingYet() {
  const { t } = useTranslation('helps');
  const user = useCurrentUser();
  return (
    <EmptyState
      icon={<CircleQuestionMark size={20} />}
      title={t('empty.title')}
      text={user.super ? t('empty.textForSuper') : t('empty.text')}
      {...(user.super && {
        action: (
          <ButtonLink to={KEPT} variant="solid">
            {t('addFirst')}
          </ButtonLink>
        ),
      })}
    />
  );
}

function SkeletonCards() {
  const { t } = useTranslation();
  return (
    <chakra.div role="status" aria-label={t('common:loading')} {...GRID}>
      {Array.from({ length: 6 }, (_, card) => (
        <chakra.div
          key={card}
          bg="bg.surface"
          borderWidth="1px"
          borderRadius="md"
          overflow="hidden"
          style={{ opacity: 1 - card / 8 }}
        >
          <Skeleton display="block" aspectRatio="16 / 9" borderRadius="0" />
          <chakra.div p="4" display="flex" flexDirection="column" gap="2">
            <Skeleton h="4" w="70%" />
            <Skeleton h="3" w="90%" />
          </chakra.div>
        </chakra.div>
      ))}
    </chakra.div>
  );
}
