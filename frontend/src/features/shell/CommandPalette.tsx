import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Keyboard, ListChecks, Moon, Plus, Search, Sun } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Avatar } from '@/components/Avatar';
import { Badge } from '@/components/Badge';
import { Dialog } from '@/components/Dialog';
import { aroundHit, Highlight } from '@/components/Highlight';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { TextInput } from '@/components/TextInput';
import { contactSearchQuery, type Contact } from '@/features/contacts/api';
import { lastWords, ticketsQuery, type Ticket } from '@/features/tickets/api';
import { formatLastMessageTime, formatPhone } from '@/lib/format';
import { plainText, withoutSignature } from '@/lib/markup';
import { may, mayBegin, opens, planAllows, type GuardedPage } from '@/lib/permissions';
import { findDigits, foldText } from '@/lib/search';
import { ADD } from '@/lib/useAddRequest';
import { useDebounced } from '@/lib/useDebounced';
import { useCommands } from '@/stores/commands';
import { useCurrentUser } from '@/stores/session';
import { toggleColourMode, useUi } from '@/stores/ui';
import { target } from '@/theme/screens';
import { visibleGroups } from './navigation';

interface CommandPaletteProps {
  onClose: () => void;
  onNewTicket: () => void;
  /** Starts a conversation with a contact. */
  onContact: (contact: Contact) => void;
  onShortcuts: () => void;
}

interface Command {
  id: string;
  group: 'actions' | 'pages' | 'tickets' | 'contacts';
  name: string;
  /** The conversation that the command opens. */
  ticket?: Ticket;
  /** The contact with whom the command starts a conversation. */
  contact?: Contact;
  icon: ReactNode;
  act: () => void;
}

/** A shorter search text matches too much. */
const SHORTEST = 3;
const MOST_TICKETS = 5;
const MOST_CONTACTS = 4;
const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/**
 * Searches conversations, as the search tab does, and contacts with whom none of the found
 * conversations is.
 */
function useFound(text: string) {
  const user = useCurrentUser();
  const settled = useDebounced(text.trim().toLowerCase(), SEARCH_DEBOUNCE_MS);
  const isLong = settled.length >= SHORTEST;
  const filters = { showAll: true, queues: [], tags: [], users: [], unread: false };
  const found = useInfiniteQuery({
    ...ticketsQuery({ ...filters, search: settled }),
    enabled: isLong,
  });
  const tickets = isLong ? (found.data?.pages[0]?.tickets ?? []).slice(0, MOST_TICKETS) : [];
  const people = useQuery({ ...contactSearchQuery(settled), enabled: isLong && mayBegin(user) });
  const served = tickets.map(({ contact }) => contact.id);
  const contacts = (isLong ? (people.data?.contacts ?? []) : [])
    .filter(({ id, number, isGroup }) => number && !isGroup && !served.includes(id))
    .slice(0, MOST_CONTACTS);
  const isSearching =
    text.trim().length >= SHORTEST &&
    (found.isFetching || people.isFetching || settled !== text.trim().toLowerCase());
  return { tickets, contacts, isSearching };
}

/**
 * The palette (Ctrl-K): searches conversations, opens pages and runs commands from the keyboard.
 */
export function CommandPalette(props: CommandPaletteProps) {
  const { onClose, onNewTicket, onContact, onShortcuts } = props;
  const { t } = useTranslation(['palette', 'shell', 'tickets']);
  const user = useCurrentUser();
  const offered = useCommands(({ commands }) => commands);
  const navigate = useNavigate();
  const isDark = useUi((ui) => ui.colourMode === 'dark');
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { tickets, contacts, isSearching } = useFound(text);

  const go = (path: string) => () => void navigate(path);
  const words = text.trim();
  const query = new URLSearchParams({ tab: 'search', q: words.toLowerCase() }).toString();
  const terms = foldText(words).split(' ');
  const fits = ({ name }: Command) => terms.every((term) => foldText(name).includes(term));
  const pages = visibleGroups(user).flatMap(({ entries }) =>
    entries.map((entry): Command => {
      const Icon = entry.icon;
      const name = t(`shell:pages.${entry.id}`);
      const icon = <Icon {...ICON} />;
      return { id: entry.id, group: 'pages', name, icon, act: go(entry.path) };
    }),
  );
  const add = (id: string, path: string, page?: GuardedPage): Command[] =>
    page && !opens(user, page)
      ? []
      : [
          {
            id,
            group: 'actions',
            name: t(id),
            icon: <Plus {...ICON} />,
            act: () => void navigate(path, { state: ADD }),
          },
        ];
  const actions: Command[] = [
    ...(mayBegin(user)
      ? [
          {
            id: 'newTicket',
            group: 'actions' as const,
            name: t('newTicket'),
            icon: <Plus {...ICON} />,
            act: onNewTicket,
          },
        ]
      : []),
    ...(may(user, 'contacts:edit') ? add('newContact', '/contacts', 'contacts') : []),
    ...(planAllows(user, 'useSchedules') ? add('newSchedule', '/schedules', 'schedules') : []),
    ...add('newQuickMessage', '/quick-messages'),
    ...(may(user, 'contacts:edit') ? add('newTag', '/tags') : []),
    ...add('newQueue', '/queues', 'queues'),
    ...add('newUser', '/users', 'users'),
    ...add('newConnection', '/connections', 'connections'),
    ...offered.map((command): Command => ({
      ...command,
      group: 'actions',
      icon: <ListChecks {...ICON} />,
    })),
    {
      id: 'shortcuts',
      group: 'actions',
      name: t('shortcuts'),
      icon: <Keyboard {...ICON} />,
      act: onShortcuts,
    },
    {
      id: 'theme',
      group: 'actions',
      name: isDark ? t('light') : t('dark'),
      icon: isDark ? <Sun {...ICON} /> : <Moon {...ICON} />,
      act: toggleColourMode,
    },
  ];
  const found: Command[] = [
    ...tickets.map((ticket): Command => {
      const { uuid, contact, match } = ticket;
      const search = match ? `?message=${match.messageId}` : '';
      return {
        id: uuid,
        group: 'tickets',
        name: contact.name,
        icon: (
          <Avatar
            name={contact.name}
            src={contact.profilePicUrl}
            size={32}
            group={ticket.isGroup}
          />
        ),
        ticket,
        act: go(`/tickets/${uuid}${search}`),
      };
    }),
    ...(words
      ? [
          {
            id: 'search',
            group: 'tickets' as const,
            name: t('searchFor', { text: words }),
            icon: <Search {...ICON} />,
            act: go(`/tickets?${query}`),
          },
        ]
      : []),
    ...contacts.map((contact): Command => ({
      id: `contact-${contact.id}`,
      group: 'contacts',
      name: contact.name,
      contact,
      icon: <Avatar name={contact.name} src={contact.profilePicUrl} size={32} />,
      act: () => onContact(contact),
    })),
  ];
  const others = [...pages.filter(fits), ...actions.filter(fits)];
  // A user who types the beginning of a command's name wants the command first.
  const isNamed =
    words !== '' && others.some(({ name }) => foldText(name).startsWith(foldText(words)));
  const commands = isNamed ? [...others, ...found] : [...found, ...others];
  const groups = [...new Set(commands.map(({ group }) => group))];
  const current = Math.min(place, commands.length - 1);

  function run(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.act();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = (current + step + commands.length) % commands.length;
      setPlace(next);
      list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[current]);
    }
  }

  const optionId = (command: Command | undefined) => command && `${id}-${command.id}`;
  return (
    <Dialog open onClose={onClose} title={t('title')}>
      <chakra.div display="flex" flexDirection="column" gap="3" onKeyDown={onKeyDown}>
        <TextInput
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={optionId(commands[current])}
          aria-label={t('title')}
          placeholder={t('placeholder')}
          autoComplete="off"
          startIcon={<Search size={16} />}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPlace(0);
          }}
        />
        <chakra.div
          ref={list}
          id={id}
          role="listbox"
          aria-label={t('title')}
          h={{ base: 'calc(100dvh - 180px)', sm: '360px' }}
          overflowY="auto"
          mx="-2"
        >
          {groups.map((group) => {
            const members = commands.filter((command) => command.group === group);
            return (
              <chakra.div key={group} role="group" aria-label={t(group)}>
                <chakra.p
                  aria-hidden
                  px="3"
                  pt="2"
                  pb="1"
                  textStyle="xs"
                  fontWeight="semibold"
                  color="fg.muted"
                >
                  {t(group)}
                  {group === 'tickets' && isSearching && ` · ${t('searching')}`}
                </chakra.p>
                {members.map((command) => (
                  <Option
                    key={command.id}
                    id={optionId(command)}
                    command={command}
                    term={words}
                    isCurrent={command === commands[current]}
                    onRun={() => run(command)}
                    onPoint={() => setPlace(commands.indexOf(command))}
                  />
                ))}
              </chakra.div>
            );
          })}
        </chakra.div>
      </chakra.div>
    </Dialog>
  );
}

interface OptionProps {
  id: string | undefined;
  command: Command;
  /** The search text. */
  term: string;
  isCurrent: boolean;
  onRun: () => void;
  onPoint: () => void;
}

function Option({ id, command, term, isCurrent, onRun, onPoint }: OptionProps) {
  return (
    <chakra.div
      id={id}
      role="option"
      aria-selected={isCurrent}
      onClick={onRun}
      onPointerMove={isCurrent ? undefined : onPoint}
      display="flex"
      alignItems="center"
      gap="3"
      minH="9"
      css={target}
      px="3"
      py="1.5"
      borderRadius="sm"
      cursor="pointer"
      textStyle="sm"
      bg={isCurrent ? 'brand.subtle' : 'transparent'}
      color={isCurrent ? 'brand.fg' : 'fg.default'}
    >
      <chakra.span flexShrink="0" display="flex" color={isCurrent ? 'brand.fg' : 'fg.muted'}>
        {command.icon}
      </chakra.span>
      {command.ticket ? (
        <TicketLines ticket={command.ticket} term={term} />
      ) : command.contact ? (
        <ContactLines contact={command.contact} term={term} />
      ) : (
        <chakra.span truncate>
          <Highlight text={command.name} term={term} />
        </chakra.span>
      )}
    </chakra.div>
  );
}

/** A contact's name and number. */
function ContactLines({ contact, term }: { contact: Contact; term: string }) {
  const phone = formatPhone(contact.number);
  return (
    <chakra.span display="flex" flexDirection="column" flex="1" minW="0">
      <chakra.span fontWeight="medium" truncate>
        <Highlight text={contact.name} term={term} />
      </chakra.span>
      <chakra.span textStyle="xs" color="fg.muted" truncate>
        <Highlight text={phone} term={term} find={findDigits} />
      </chakra.span>
    </chakra.span>
  );
}

const TONES = { open: 'live', pending: 'waiting', closed: 'neutral' } as const;

/** A ticket's contact, status and time; below them the matching message. */
function TicketLines({ ticket, term }: { ticket: Ticket; term: string }) {
  const { t } = useTranslation('palette');
  const { contact, match, status } = ticket;
  const phone = formatPhone(contact.number);
  const isByPhone = !match && findDigits(phone, term) !== null;
  return (
    <chakra.span display="flex" flexDirection="column" flex="1" minW="0">
      <chakra.span display="flex" alignItems="center" gap="2">
        <chakra.span flex="1" minW="0" fontWeight="medium" truncate>
          <Highlight text={contact.name} term={term} />
        </chakra.span>
        <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
        <chakra.time
          dateTime={ticket.updatedAt}
          flexShrink="0"
          textStyle="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
        >
          {formatLastMessageTime(ticket.updatedAt)}
        </chakra.time>
      </chakra.span>
      <chakra.span textStyle="xs" color="fg.muted" truncate>
        {match ? (
          <Highlight text={aroundHit(plainText(withoutSignature(match.body)), term)} term={term} />
        ) : isByPhone ? (
          <Highlight text={phone} term={term} find={findDigits} />
        ) : (
          lastWords(ticket) || ticket.queue?.name || phone
        )}
      </chakra.span>
    </chakra.span>
  );
}
