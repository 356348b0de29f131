import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Virtuoso } from 'react-virtuoso';
import { Avatar } from '@/components/Avatar';
import { loadNext, NEAR_END_PX, NextPage, type Pages } from '@/components/ListEnd';
import { Checkbox } from '@/components/Toggle';
import { touch } from '@/theme/screens';
import { ContactMenu } from './ContactMenu';
import { ContactNumber } from './ContactNumber';
import { IgnoredBadge } from './IgnoredBadge';
import type { Contact } from './types';
import { useContactEntries, type ContactEntry, type ContactRowsProps } from './useContactEntries';

const parts = {
  Footer: ({ context }: { context?: Pages }) => context && <NextPage pages={context} />,
};

/** Contacts as a virtual list of cards with infinite scrolling, for narrow screens. */
export function ContactCards(props: ContactRowsProps) {
  const { contacts, selected, onSelect, pages } = props;
  const { t } = useTranslation(['contacts', 'common']);
  const entriesOf = useContactEntries(props);
  return (
    <chakra.div role="region" aria-label={t('label')} h="full">
      <Virtuoso
        style={{ height: '100%' }}
        data={contacts}
        context={pages}
        computeItemKey={(_, contact) => contact.id}
        increaseViewportBy={400}
        atBottomThreshold={NEAR_END_PX}
        atBottomStateChange={(atEnd) => {
          if (atEnd) loadNext(pages);
        }}
        components={parts}
        itemContent={(_, contact) => (
          <Card
            contact={contact}
            entries={entriesOf(contact)}
            selected={selected?.has(contact.id)}
            onSelect={(on) => onSelect([contact.id], on)}
            onOpen={() => props.onEdit(contact)}
          />
        )}
      />
    </chakra.div>
  );
}

interface CardProps {
  contact: Contact;
  entries: ContactEntry[];
  selected: boolean | undefined;
  onSelect: (on: boolean) => void;
  onOpen: () => void;
}

function Card({ contact, entries, selected, onSelect, onOpen }: CardProps) {
  const { t } = useTranslation(['contacts', 'common']);
  return (
    <chakra.div
      display="flex"
      alignItems="center"
      gap="3"
      ps="4"
      pe="2"
      py="2"
      borderBottomWidth="1px"
      bg={selected ? 'brand.subtle' : undefined}
    >
      {selected !== undefined && (
        <chakra.span display="flex" css={{ [touch]: { ms: '-3.5', me: '-3' } }}>
          <Checkbox
            aria-label={t('select.one', { name: contact.name })}
            checked={selected}
            onChange={onSelect}
          />
        </chakra.span>
      )}
      <chakra.button
        type="button"
        flex="1"
        minW="0"
        minH="11"
        display="flex"
        alignItems="center"
        gap="3"
        textAlign="start"
        cursor="pointer"
        borderRadius="sm"
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
        onClick={onOpen}
      >
        <Avatar name={contact.name} src={contact.profilePicUrl} group={contact.isGroup} />
        <chakra.span display="block" minW="0" flex="1">
          <chakra.span
            display="block"
            textStyle="md"
            fontWeight="medium"
            overflow="hidden"
            textOverflow="ellipsis"
            whiteSpace="nowrap"
          >
            {contact.name}
          </chakra.span>
          <chakra.span
            display="block"
            textStyle="sm"
            color="fg.muted"
            overflow="hidden"
            textOverflow="ellipsis"
            whiteSpace="nowrap"
          >
            <ContactNumber contact={contact} />
          </chakra.span>
        </chakra.span>
        <IgnoredBadge contact={contact} />
      </chakra.button>
      <ContactMenu
        label={t('actionsOf.menu', { name: contact.name })}
        entries={entries}
        size="lg"
      />
    </chakra.div>
  );
}
