import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Popover } from '@/components/Popover';
import { Checkbox } from '@/components/Toggle';
import { PersonPresence } from '@/features/desk/api';
import { tagsQuery } from '@/features/tags/api';
import { userOptionsQuery } from '@/features/users/api';
import { CheckGroup, Dot } from './CheckGroup';
import { useQueueOptions } from './QueueFilter';
import { useReader } from './useReader';
import { UNFILTERED, type ListView } from './view';

interface FilterProps {
  view: ListView;
  onView: (change: Partial<ListView>) => void;
  /** Admins can choose all queues, 'without queue' and holders; others only their own queues. */
  isAdmin: boolean;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.h3 textStyle="xs" fontWeight="semibold" color="fg.muted">
        {title}
      </chakra.h3>
      {children}
    </chakra.div>
  );
}

/** The button for all filters except the queue. */
export function MoreFilters({ view, onView, isAdmin }: FilterProps) {
  const { t } = useTranslation('inbox');
  const [isOpen, setOpen] = useState(false);
  const { hasDeadlines } = useReader();
  const count =
    view.tags.length +
    (isAdmin ? view.users.length : 0) +
    Number(view.unread) +
    Number(view.campaigns) +
    Number(view.closing) +
    Number(view.snoozed) +
    Number(hasDeadlines && view.nearest && view.tab === 'open');
  return (
    <Popover
      label={t('filters.title')}
      placement="bottom-end"
      width="288px"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button
          variant={count > 0 ? 'outline' : 'ghost'}
          size="sm"
          px="1.5"
          title={t('filters.title')}
          aria-label={count > 0 ? t('filters.active', { count }) : t('filters.title')}
        >
          <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden />
          {count > 0 && <span>{count}</span>}
        </Button>
      }
    >
      {isOpen && <Choices view={view} onView={onView} isAdmin={isAdmin} />}
    </Popover>
  );
}

function Choices({ view, onView, isAdmin }: FilterProps) {
  const { t } = useTranslation('inbox');
  const tags = useQuery(tagsQuery());
  const users = useQuery({ ...userOptionsQuery(), enabled: isAdmin });
  const { hasDeadlines } = useReader();
  const empty = (query: { isPending: boolean; isError: boolean }, nothing: string) =>
    query.isPending ? t('filters.loading') : query.isError ? t('filters.failed') : nothing;
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <Section title={t('filters.tags')}>
        <CheckGroup
          label={t('filters.tags')}
          options={(tags.data ?? []).map(({ id, name, color }) => ({
            id,
            name,
            mark: <Dot colour={color} square />,
          }))}
          value={view.tags}
          onChange={(chosen) => onView({ tags: chosen })}
          empty={empty(tags, t('filters.noTags'))}
        />
      </Section>
      {isAdmin && (
        <Section title={t('filters.users')}>
          <CheckGroup
            label={t('filters.users')}
            options={(users.data ?? []).map(({ id, name }) => ({
              id,
              name,
              mark: <PersonPresence userId={id} />,
            }))}
            value={view.users}
            onChange={(chosen) => onView({ users: chosen })}
            empty={empty(users, t('filters.noUsers'))}
          />
        </Section>
      )}
      <Checkbox
        checked={view.unread}
        onChange={(unread) => onView({ unread })}
        label={t('filters.unread')}
      />
      <Checkbox
        checked={view.campaigns}
        onChange={(campaigns) => onView({ campaigns })}
        label={t('filters.campaigns')}
      />
      <Checkbox
        checked={view.closing}
        onChange={(closing) => onView({ closing })}
        label={t('filters.closing')}
      />
      <Checkbox
        checked={view.snoozed}
        onChange={(snoozed) => onView({ snoozed })}
        label={t('filters.snoozed')}
      />
      {hasDeadlines && (
        <Checkbox
          checked={view.nearest}
          onChange={(nearest) => onView({ nearest })}
          label={t('filters.nearest')}
        />
      )}
    </chakra.div>
  );
}

interface ActiveChip {
  key: string;
  name: string;
  mark: ReactNode;
  without: Partial<ListView>;
}

/** The active filters, each with a button that removes it, and one that removes all. */
export function ActiveFilters({ view, onView, isAdmin }: FilterProps) {
  const { t } = useTranslation('inbox');
  const { hasDeadlines } = useReader();
  const queues = useQueueOptions(isAdmin);
  const tags = useQuery({ ...tagsQuery(), enabled: view.tags.length > 0 });
  const users = useQuery({ ...userOptionsQuery(), enabled: isAdmin && view.users.length > 0 });
  const chips: ActiveChip[] = [
    ...view.queues.flatMap((id) => {
      const queue = queues.find((each) => each.id === id);
      const without = { queues: view.queues.filter((each) => each !== id) };
      return queue ? [{ key: `queue-${id}`, name: queue.name, mark: queue.mark, without }] : [];
    }),
    ...view.tags.flatMap((id) => {
      const tag = tags.data?.find((each) => each.id === id);
      const without = { tags: view.tags.filter((each) => each !== id) };
      const mark = <Dot square {...(tag && { colour: tag.color })} />;
      const name = tag?.name ?? (tags.isSuccess ? t('filters.goneTag') : '…');
      return [{ key: `tag-${id}`, name, mark, without }];
    }),
    ...(isAdmin ? view.users : []).flatMap((id) => {
      const user = users.data?.find((each) => each.id === id);
      const without = { users: view.users.filter((each) => each !== id) };
      const name = user?.name ?? (users.isSuccess ? t('filters.goneUser') : '…');
      return [{ key: `user-${id}`, name, mark: null, without }];
    }),
    ...(view.unread
      ? [{ key: 'unread', name: t('filters.unread'), mark: null, without: { unread: false } }]
      : []),
    ...(view.campaigns
      ? [
          {
            key: 'campaigns',
            name: t('filters.campaigns'),
            mark: null,
            without: { campaigns: false },
          },
        ]
      : []),
    ...(view.closing
      ? [{ key: 'closing', name: t('filters.closing'), mark: null, without: { closing: false } }]
      : []),
    ...(view.snoozed
      ? [{ key: 'snoozed', name: t('filters.snoozed'), mark: null, without: { snoozed: false } }]
      : []),
    // Only the open lists have this order.
    ...(hasDeadlines && view.nearest && view.tab === 'open'
      ? [{ key: 'nearest', name: t('filters.nearest'), mark: null, without: { nearest: false } }]
      : []),
  ];
  if (chips.length === 0) return null;
  return (
    <chakra.div
      role="group"
      aria-label={t('filters.activeLabel')}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="1"
      px="4"
      pb="2"
      maxH="68px"
      overflowY="auto"
    >
      {chips.map(({ key, name, mark, without }) => (
        <chakra.button
          key={key}
          type="button"
          aria-label={t('filters.remove', { name })}
          title={name}
          onClick={() => onView(without)}
          display="inline-flex"
          alignItems="center"
          gap="1.5"
          maxW="180px"
          h="6"
          ps="2"
          pe="1"
          borderRadius="sm"
          bg="bg.subtle"
          textStyle="xs"
          cursor="pointer"
          _hover={{ bg: 'brand.subtle' }}
          _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
        >
          {mark}
          <chakra.span truncate>{name}</chakra.span>
          <chakra.span flexShrink="0" display="flex" color="fg.muted" aria-hidden>
            <X size={14} />
          </chakra.span>
        </chakra.button>
      ))}
      <Button
        variant="ghost"
        size="sm"
        h="6"
        px="1.5"
        textStyle="xs"
        onClick={() => onView({ ...UNFILTERED, nearest: false })}
      >
        {t('filters.clearAll')}
      </Button>
    </chakra.div>
  );
}
