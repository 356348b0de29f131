import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { TableVirtuoso } from 'react-virtuoso';
import { Avatar } from '@/components/Avatar';
import { IconButton } from '@/components/IconButton';
import { loadNext, NEAR_END_PX, NextPage } from '@/components/ListEnd';
import { Checkbox } from '@/components/Toggle';
import { ContactNumber } from './ContactNumber';
import { IgnoredBadge } from './IgnoredBadge';
import type { Contact } from './types';
import { ContactMenu } from './ContactMenu';
import { useContactEntries, type ContactEntry, type ContactRowsProps } from './useContactEntries';

const ROW_PX = 48;

interface TableContext {
  label: string;
  count: number;
  selected: ReadonlySet<number> | undefined;
  onOpen: (contact: Contact) => void;
}

function TableElement({ context, ...props }: ComponentProps<'table'> & { context?: TableContext }) {
  return (
    <chakra.table
      {...props}
      aria-label={context?.label}
      aria-rowcount={(context?.count ?? 0) + 1}
      w="full"
      tableLayout="fixed"
      borderCollapse="separate"
      borderSpacing="0"
    />
  );
}

interface RowProps extends ComponentProps<'tr'> {
  item: Contact;
  context?: TableContext;
  'data-index': number;
}

function RowElement({ item: contact, context, ...props }: RowProps) {
  const isSelected = context?.selected?.has(contact.id) ?? false;
  return (
    <chakra.tr
      {...props}
      aria-rowindex={props['data-index'] + 2}
      tabIndex={0}
      cursor="pointer"
      bg={isSelected ? 'brand.subtle' : undefined}
      _hover={{ bg: isSelected ? 'brand.subtle' : 'bg.hover' }}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
      onClick={() => context?.onOpen(contact)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) context?.onOpen(contact);
      }}
    />
  );
}

const parts = { Table: TableElement, TableRow: RowElement };

const HeaderCell = chakra('th', {
  base: {
    h: '9',
    px: '4',
    textStyle: 'xs',
    fontWeight: 'medium',
    color: 'fg.muted',
    textAlign: 'start',
    whiteSpace: 'nowrap',
    bg: 'bg.surface',
    borderBottomWidth: '1px',
  },
});

const Cell = chakra('td', {
  base: {
    h: '12',
    px: '4',
    textStyle: 'sm',
    borderBottomWidth: '1px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
});

/** Clicks on controls inside a row do not open it. */
const own = {
  cursor: 'default',
  onClick: (event: React.MouseEvent) => event.stopPropagation(),
} as const;

/** The first action, to start or open the conversation, and a menu of the others by name. */
function RowEntries({ contact, entries }: { contact: Contact; entries: ContactEntry[] }) {
  const { t } = useTranslation('contacts');
  const [first, ...others] = entries;
  return (
    <>
      {first && (
        <IconButton
          size="sm"
          label={first.name}
          icon={first.icon}
          disabled={first.disabled ?? false}
          onClick={first.onSelect}
        />
      )}
      <ContactMenu label={t('actionsOf.menu', { name: contact.name })} entries={others} size="sm" />
    </>
  );
}

/** Contacts in a virtual table with infinite scrolling. */
export function ContactTable(props: ContactRowsProps) {
  const { contacts, count, selected, onSelect, pages } = props;
  const { t } = useTranslation(['contacts', 'common']);
  const entriesOf = useContactEntries(props);
  const shown = contacts.map(({ id }) => id);
  const chosen = selected ? shown.filter((id) => selected.has(id)).length : 0;
  return (
    <TableVirtuoso
      style={{ height: '100%' }}
      data={contacts}
      context={{ label: t('label'), count, selected, onOpen: props.onEdit }}
      computeItemKey={(_, contact) => contact.id}
      defaultItemHeight={ROW_PX}
      increaseViewportBy={ROW_PX * 8}
      atBottomThreshold={NEAR_END_PX}
      atBottomStateChange={(atEnd) => {
        if (atEnd) loadNext(pages);
      }}
      components={parts}
      fixedHeaderContent={() => (
        <tr aria-rowindex={1}>
          {selected && (
            <HeaderCell scope="col" w="12" pe="0">
              <chakra.span display="flex">
                <Checkbox
                  aria-label={t('select.shown')}
                  checked={chosen === 0 ? false : chosen === shown.length ? true : 'indeterminate'}
                  onChange={() => onSelect(shown, chosen < shown.length)}
                />
              </chakra.span>
            </HeaderCell>
          )}
          <HeaderCell scope="col" w="36%">
            {t('columns.name')}
          </HeaderCell>
          <HeaderCell scope="col" w="192px">
            {t('columns.number')}
          </HeaderCell>
          <HeaderCell scope="col">{t('columns.email')}</HeaderCell>
          <HeaderCell scope="col" w="104px">
            <chakra.span srOnly>{t('common:actionsColumn')}</chakra.span>
          </HeaderCell>
        </tr>
      )}
      fixedFooterContent={
        pages.isFetchingNextPage || pages.isFetchNextPageError
          ? () => (
              <tr>
                <Cell colSpan={selected ? 5 : 4} bg="bg.surface" borderTopWidth="1px">
                  <NextPage pages={pages} />
                </Cell>
              </tr>
            )
          : null
      }
      itemContent={(_, contact) => (
        <>
          {selected && (
            <Cell {...own} pe="0">
              <chakra.span display="flex">
                <Checkbox
                  aria-label={t('select.one', { name: contact.name })}
                  checked={selected.has(contact.id)}
                  onChange={(on) => onSelect([contact.id], on)}
                />
              </chakra.span>
            </Cell>
          )}
          <Cell>
            <chakra.span display="flex" alignItems="center" gap="3" minW="0">
              <Avatar
                name={contact.name}
                src={contact.profilePicUrl}
                size={32}
                group={contact.isGroup}
              />
              <chakra.span
                fontWeight="medium"
                overflow="hidden"
                textOverflow="ellipsis"
                title={contact.name}
              >
                {contact.name}
              </chakra.span>
              <IgnoredBadge contact={contact} />
            </chakra.span>
          </Cell>
          <Cell>
            <ContactNumber contact={contact} />
          </Cell>
          <Cell color="fg.muted" title={contact.email}>
            {contact.email}
          </Cell>
          <Cell {...own} ps="0">
            <chakra.div display="flex" gap="1" justifyContent="flex-end">
              <RowEntries contact={contact} entries={entriesOf(contact)} />
            </chakra.div>
          </Cell>
        </>
      )}
    />
  );
}
