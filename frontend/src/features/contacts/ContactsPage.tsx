import { chakra, useMediaQuery } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Trash2, UserPlus, UserSearch } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Button } from '@/components/Button';
import { Page } from '@/components/Page';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { formatCount } from '@/lib/format';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { contactPagesQuery } from './api';
import { ContactCards } from './ContactCards';
import { ContactTable } from './ContactTable';
import { DeleteContacts } from './DeleteContacts';
import { useContactEvents } from './events';
import { contactsOf } from './fold';
import { MergeDialog } from './MergeDialog';
import { PersonalDataDialog } from './PersonalDataDialog';
import { TransferMenu } from './TransferMenu';
import type { Contact, ListedContact } from './types';

/** From this width there is room for a table. */
const WIDE = '(min-width: 900px)';
/** Up to this width the tools have no labels. */
const NARROW = '(max-width: 600px)';

interface ContactsPageProps {
  onAdd: () => void;
  onEdit: (contact: Contact) => void;
  onStart: (contact: ListedContact) => void;
  onSchedule: (contact: Contact) => void;
}

/** The company's contacts: search, select, import, export, start a conversation. */
export function ContactsPage({ onAdd, onEdit, onStart, onSchedule }: ContactsPageProps) {
  const { t } = useTranslation(['contacts', 'common']);
  const user = useCurrentUser();
  const mayDelete = may(user, 'contacts:delete');
  const mayEdit = may(user, 'contacts:edit');
  const [isWide, isNarrow = false] = useMediaQuery([WIDE, NARROW], { ssr: false });
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [leaving, setLeaving] = useState<readonly Contact[] | null>(null);
  const [merging, setMerging] = useState<Contact | null>(null);
  const [asked, setAsked] = useState<Contact | null>(null);
  useContactEvents();
  const list = useInfiniteQuery({
    ...contactPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  // The search of the contacts shown: the previous one stays until the next is answered.
  const [shownSearch, setShownSearch] = useState(search);
  if (list.data && !list.isPlaceholderData && shownSearch !== search) setShownSearch(search);
  const contacts = useMemo(() => contactsOf(list.data), [list.data]);
  const count = list.data?.pages.at(-1)?.count ?? 0;
  // The selected contacts that are still shown: a search or a live deletion may have removed
  // others.
  const chosen = contacts.filter(({ id }) => selected.has(id));

  function select(ids: readonly number[], on: boolean) {
    const next = new Set(selected);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
  }

  const Rows = isWide ? ContactTable : ContactCards;
  return (
    <Page
      tools={
        <SearchInput
          label={t('search')}
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setSelected(new Set());
          }}
        />
      }
      action={
        <chakra.div display="flex" gap="2">
          <TransferMenu search={search} isEmpty={contacts.length === 0} isCompact={isNarrow} />
          {mayEdit && <AddButton label={t('dialog.add')} onClick={onAdd} />}
        </chakra.div>
      }
    >
      <chakra.div
        display="flex"
        alignItems="center"
        flexWrap="wrap"
        columnGap="3"
        minH="8"
        mt="-2"
        mb="-2"
        textStyle="sm"
        color="fg.muted"
      >
        <chakra.span role="status" flex="1">
          {chosen.length > 0
            ? t('select.count', { count: chosen.length, shown: formatCount(chosen.length) })
            : count > 0 && t('count', { count, shown: formatCount(count) })}
        </chakra.span>
        {chosen.length > 0 && (
          <>
            <Button variant="ghost" size="sm" onClick={() => setSelected(new Set())}>
              {t('select.clear')}
            </Button>
            <Button
              variant="danger"
              size="sm"
              icon={<Trash2 size={16} />}
              onClick={() => setLeaving(chosen)}
            >
              {t('common:actions.delete')}
            </Button>
          </>
        )}
      </chakra.div>
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <chakra.div bg="bg.surface" borderWidth="1px" borderRadius="md" flex="1" minH="0">
          <SkeletonRows rows={10} />
        </chakra.div>
      ) : contacts.length === 0 ? (
        <Empty search={search} {...(mayEdit && { onAdd })} />
      ) : (
        <chakra.div
          flex="1"
          minH="0"
          bg="bg.surface"
          borderWidth="1px"
          borderRadius="md"
          overflow="hidden"
          aria-busy={list.isPlaceholderData}
        >
          <Rows
            // The key makes a new search start at its top.
            key={shownSearch}
            contacts={contacts}
            count={count}
            selected={mayDelete ? selected : undefined}
            onSelect={select}
            onEdit={onEdit}
            onStart={onStart}
            onSchedule={onSchedule}
            onMerge={mayDelete ? setMerging : undefined}
            onPrivacy={mayDelete ? setAsked : undefined}
            onDelete={mayDelete ? (contact) => setLeaving([contact]) : undefined}
            pages={list}
          />
        </chakra.div>
      )}
      {merging && <MergeDialog contact={merging} onClose={() => setMerging(null)} />}
      {asked && <PersonalDataDialog contact={asked} onClose={() => setAsked(null)} />}
      {leaving && (
        <DeleteContacts
          contacts={leaving}
          onClose={() => setLeaving(null)}
          onDeleted={(ids) => select(ids, false)}
        />
      )}
    </Page>
  );
}

function Empty({ search, onAdd }: { search: string; onAdd?: () => void }) {
  const { t } = useTranslation('contacts');
  if (search)
    return (
      <EmptyState icon={<UserSearch size={20} />} title={t('empty.search', { text: search })} />
    );
  return (
    <EmptyState
      icon={<UserPlus size={20} />}
      title={t('empty.title')}
      text={t('empty.text')}
      {...(onAdd && { action: <AddButton label={t('dialog.add')} onClick={onAdd} /> })}
    />
  );
}
