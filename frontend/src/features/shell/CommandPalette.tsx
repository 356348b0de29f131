import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Keyboard, MessageSquareText, Moon, Plus, Search, Sun } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Dialog } from '@/components/Dialog';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { TextInput } from '@/components/TextInput';
import { ticketsQuery } from '@/features/tickets/api';
import { formatPhone } from '@/lib/format';
import { withoutSignature } from '@/lib/markup';
import { foldText } from '@/lib/search';
import { useDebounced } from '@/lib/useDebounced';
import { useCurrentUser } from '@/stores/session';
import { toggleColourMode, useUi } from '@/stores/ui';
import { target } from '@/theme/screens';
import { visibleGroups } from './navigation';

interface CommandPaletteProps {
  onClose: () => void;
  onNewTicket: () => void;
  onShortcuts: () => void;
}

interface Command {
  id: string;
  group: 'actions' | 'pages' | 'tickets';
  name: string;
  detail?: string | undefined;
  icon: ReactNode;
  act: () => void;
}

/** Fewer letters find too much. */
const SHORTEST = 3;
const MOST_TICKETS = 5;
const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** The first conversations of a text, as the search tab would list them. */
function useFoundTickets(text: string) {
  const settled = useDebounced(text.trim().toLowerCase(), SEARCH_DEBOUNCE_MS);
  const isLong = settled.length >= SHORTEST;
  const filters = { showAll: true, queues: [], tags: [], users: [], unread: false };
  const found = useInfiniteQuery({
    ...ticketsQuery({ ...filters, search: settled }),
    enabled: isLong,
  });
  const tickets = isLong ? (found.data?.pages[0]?.tickets ?? []).slice(0, MOST_TICKETS) : [];
  const isSearching =
    text.trim().length >= SHORTEST && (found.isFetching || settled !== text.trim().toLowerCase());
  return { tickets, isSearching };
}

/** Ctrl-K: search conversations, go to a page, do something, all from the keyboard. */
export function CommandPalette({ onClose, onNewTicket, onShortcuts }: CommandPaletteProps) {
  const { t } = useTranslation(['palette', 'shell']);
  const user = useCurrentUser();
  const navigate = useNavigate();
  const isDark = useUi((ui) => ui.colourMode === 'dark');
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { tickets, isSearching } = useFoundTickets(text);

  const go = (path: string) => () => void navigate(path);
  const words = text.trim();
  const query = new URLSearchParams({ tab: 'search', q: words.toLowerCase() }).toString();
  const fits = ({ name }: Command) => foldText(name).includes(foldText(words));
  const pages = visibleGroups(user).flatMap(({ entries }) =>
    entries.map((entry): Command => {
      const Icon = entry.icon;
      const name = t(`shell:pages.${entry.id}`);
      const icon = <Icon {...ICON} />;
      return { id: entry.id, group: 'pages', name, icon, act: go(entry.path) };
    }),
  );
  const actions: Command[] = [
    {
      id: 'newTicket',
      group: 'actions',
      name: t('newTicket'),
      icon: <Plus {...ICON} />,
      act: onNewTicket,
    },
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
    ...tickets.map(({ uuid, contact, match, queue }): Command => {
      const search = match ? `?message=${match.messageId}` : '';
      return {
        id: uuid,
        group: 'tickets',
        name: contact.name,
        detail:
          (match && withoutSignature(match.body)) ?? queue?.name ?? formatPhone(contact.number),
        icon: <MessageSquareText {...ICON} />,
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
  ];
  // Who types the beginning of a page's name wants to go there.
  const isPage =
    words !== '' && pages.some(({ name }) => foldText(name).startsWith(foldText(words)));
  const others = [...pages.filter(fits), ...actions.filter(fits)];
  const commands = isPage ? [...others, ...found] : [...found, ...others];
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
  isCurrent: boolean;
  onRun: () => void;
  onPoint: () => void;
}

function Option({ id, command, isCurrent, onRun, onPoint }: OptionProps) {
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
      <chakra.span
        flexShrink={command.detail ? '0' : '1'}
        maxW={command.detail ? '50%' : '100%'}
        truncate
      >
        {command.name}
      </chakra.span>
      {command.detail && (
        <chakra.span flex="1" minW="0" truncate color="fg.muted" textAlign="end">
          {command.detail}
        </chakra.span>
      )}
    </chakra.div>
  );
}
