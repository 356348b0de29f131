import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge } from '@/components/Badge';
import { MoreButton } from '@/components/ListEnd';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { queuesQuery } from '@/features/queues/api';
import { tagsQuery } from '@/features/tags/api';
import { userOptionsQuery } from '@/features/users/api';
import { formatDateTime } from '@/lib/format';
import { paths } from '@/routes/paths';
import { runsQuery } from './calls';
import { KINDS_OF_IDS } from './catalogue';
import { nameKey } from './form';
import { PRIORITIES, type Changes, type RuleRun, type When } from './types';
import { useWords, type Names } from './useWords';

/** What rules and macros have done, or one rule; the latest first (rules/desk §14). */
export function Runs({ ruleId }: { ruleId: number | null }) {
  const { t } = useTranslation('rules');
  const list = useInfiniteQuery(runsQuery(ruleId));
  const names = useNames();
  const runs = list.data?.pages.flatMap((page) => page.runs);
  if (list.error && !runs)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!runs) return <SkeletonRows rows={5} />;
  if (runs.length === 0)
    return (
      <EmptyState
        icon={<History size={20} />}
        title={t('log.empty.title')}
        text={t('log.empty.text')}
      />
    );
  return (
    <chakra.div display="flex" flexDirection="column" gap="3">
      <chakra.ul listStyleType="none" m="0" p="0">
        {runs.map((run) => (
          <RunLine key={run.id} run={run} names={names} showsName={ruleId === null} />
        ))}
      </chakra.ul>
      <MoreButton pages={list} label={t('log.more')} />
    </chakra.div>
  );
}

/** The names of all that a run may have changed. */
function useNames(): Names {
  const queues = useQuery(queuesQuery());
  const tags = useQuery(tagsQuery());
  const users = useQuery(userOptionsQuery());
  return new Map([
    ...(queues.data ?? []).map(({ id, name }) => [nameKey('queue', id), name] as const),
    ...(tags.data ?? []).map(({ id, name }) => [nameKey('tag', id), name] as const),
    ...(users.data ?? []).map(({ id, name }) => [nameKey('person', id), name] as const),
  ]);
}

/** Refusals of ours, which have words in every language. */
const BOUNDS = new Set(['itself', 'chain', 'often', 'closed', 'window']);

interface RunLineProps {
  run: RuleRun;
  names: Names;
  showsName: boolean;
}

function RunLine({ run, names, showsName }: RunLineProps) {
  const { t } = useTranslation('rules');
  const changes = useChanges(names);
  const because = useCause(names);
  const name = run.name || t('log.rule');
  const title = run.userName ? t('log.by', { name, user: run.userName }) : name;
  const said = changes(run.before, run.after);
  const sentence = BOUNDS.has(run.refusal) ? t(`refusals.${run.refusal}`) : run.sentence;
  return (
    <chakra.li display="flex" flexDirection="column" gap="0.5" py="2.5" borderBottomWidth="1px">
      <chakra.div display="flex" alignItems="baseline" gap="2" flexWrap="wrap" textStyle="sm">
        {(showsName || run.userName) && (
          <chakra.span fontWeight="semibold" overflowWrap="anywhere">
            {title}
          </chakra.span>
        )}
        <chakra.span css={{ '& a': { color: 'brand.fg', textDecoration: 'underline' } }}>
          <Link
            to={paths.ticket(run.ticketUuid)}
            aria-label={t('log.in', { name: run.contactName })}
          >
            {run.contactName}
          </Link>
        </chakra.span>
        <chakra.span color="fg.muted">{formatDateTime(run.at)}</chakra.span>
        {run.undoneAt && <Badge>{t('log.undone')}</Badge>}
        {run.chain.length > 0 && <Badge>{t('log.chain')}</Badge>}
      </chakra.div>
      {run.when && (
        <chakra.p textStyle="sm" overflowWrap="anywhere" color="fg.muted">
          {t('log.why', { what: because(run.when, run.event) })}
        </chakra.p>
      )}
      <chakra.p
        textStyle="sm"
        overflowWrap="anywhere"
        color={run.refusal ? 'status.danger.fg' : 'fg.muted'}
      >
        {run.refusal ? t('log.refused', { sentence }) : said.join('; ') || t('log.nothing')}
      </chakra.p>
    </chakra.li>
  );
}

/** By which event a rule ran, as a phrase. */
function useCause(names: Names) {
  const { t } = useTranslation('rules');
  const { named } = useWords(names);
  return (when: When, { id, rate }: RuleRun['event']) =>
    t(`log.because.${when}`, {
      name: id ? named(KINDS_OF_IDS[when] ?? 'tag', id) : t('log.none'),
      rate,
    });
}

/** What has changed, as phrases. */
function useChanges(names: Names) {
  const { t } = useTranslation('rules');
  const { named, listed } = useWords(names);
  const none = t('log.none');
  const row = (kind: 'queue' | 'person', id: number | null | undefined) =>
    id ? named(kind, id) : none;
  return (before: Changes, after: Changes): string[] => {
    const said: string[] = [];
    if (after.status)
      said.push(
        t('log.changed.status', {
          before: t(`words.${before.status ?? 'open'}`),
          after: t(`words.${after.status}`),
        }),
      );
    for (const kind of ['queue', 'person'] as const)
      if (kind in after)
        said.push(
          t(`log.changed.${kind}`, {
            before: row(kind, before[kind]),
            after: row(kind, after[kind]),
          }),
        );
    if (after.priority)
      said.push(
        t('log.changed.priority', {
          before: t(`words.${PRIORITIES[(before.priority ?? 3) - 1] ?? 'normal'}`),
          after: t(`words.${PRIORITIES[after.priority - 1] ?? 'normal'}`),
        }),
      );
    if (after.tags) {
      const old = before.tags ?? [];
      const tagNames = (ids: readonly number[]) =>
        listed(
          ids.map((id) => named('tag', id)),
          'conjunction',
        );
      const added = after.tags.filter((id) => !old.includes(id));
      const taken = old.filter((id) => !after.tags?.includes(id));
      if (added.length > 0) said.push(t('log.changed.tagsAdded', { names: tagNames(added) }));
      if (taken.length > 0) said.push(t('log.changed.tagsTaken', { names: tagNames(taken) }));
    }
    if (after.snoozed !== undefined)
      said.push(t(after.snoozed ? 'log.changed.snoozed' : 'log.changed.awake'));
    for (const [name, value] of Object.entries(after.fields ?? {}))
      said.push(
        t('log.changed.field', {
          name,
          before: before.fields?.[name] || t('log.blank'),
          after: value || t('log.blank'),
        }),
      );
    return said;
  };
}
