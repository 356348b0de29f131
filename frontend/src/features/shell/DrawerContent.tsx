import { chakra } from '@chakra-ui/react';
import { ChevronDown, PanelLeft, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CountBadge } from '@/components/Badge';
import { IconButton } from '@/components/IconButton';
import { Logo } from '@/components/Logo';
import { StillLink } from '@/components/StillLink';
import { formatCount } from '@/lib/format';
import { VERSION } from '@/lib/version';
import { useBadges } from '@/stores/badges';
import { useCurrentUser } from '@/stores/session';
import { toggleDrawer } from '@/stores/ui';
import { useFoldedGroups } from './foldedGroups';
import { visibleGroups, type NavigationEntry } from './navigation';

interface DrawerContentProps {
  /** The entry of the page that is open. */
  current: NavigationEntry | undefined;
  expanded: boolean;
  /** Whether it is the overlay of narrow screens, which cannot be collapsed. */
  overlay?: boolean;
  /** Opens the drawer as an overlay, where there is no room for it beside the page. */
  onExpand?: () => void;
  connectionWarning: boolean;
}

/**
 * The drawer: logo, entries in groups, help and version. Collapsed it shows icons with tooltips.
 */
export const DrawerContent = memo(function DrawerContent(props: DrawerContentProps) {
  const { current, expanded, overlay, onExpand = toggleDrawer, connectionWarning } = props;
  const { t } = useTranslation(['shell', 'common']);
  const user = useCurrentUser();
  const shown = visibleGroups(user);
  const groups = shown.filter(({ group }) => group !== 'help');
  const help = shown.find(({ group }) => group === 'help')?.entries ?? [];
  const { folded, toggle } = useFoldedGroups(user.id);
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a low screen, or at 200 % zoom, the current page's entry may be outside the visible part.
    navigation.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [current, expanded]);
  return (
    <chakra.div display="flex" flexDirection="column" h="full" bg="bg.canvas">
      <chakra.div
        display="flex"
        alignItems="center"
        justifyContent={expanded ? 'space-between' : 'center'}
        h="topBar"
        flexShrink="0"
        ps={expanded ? '5' : '0'}
        pe={expanded ? '2' : '0'}
      >
        <chakra.span
          display="flex"
          alignItems="center"
          gap="2.5"
          textStyle="lg"
          fontWeight="semibold"
        >
          <Logo />
          {expanded && 'Balcão'}
        </chakra.span>
        {expanded && !overlay && (
          <IconButton
            label={t('drawer.collapse')}
            icon={<PanelLeft size={16} />}
            size="sm"
            onClick={toggleDrawer}
          />
        )}
      </chakra.div>
      <chakra.nav
        ref={navigation}
        aria-label={t('drawer.navigation')}
        flex="1"
        minH="0"
        overflowY="auto"
        overflowX="hidden"
        pt="1"
      >
        {groups.map(({ group, entries }, index) => {
          // Without its heading nobody could unfold it. The home group has one entry and none.
          const isFolded = expanded && group !== 'home' && folded.includes(group);
          return (
            <chakra.div key={group} role="group" aria-label={t(`groups.${group}`)}>
              {expanded
                ? group !== 'home' && (
                    <GroupHeading
                      name={t(`groups.${group}`)}
                      isFirst={index === 0}
                      isFolded={isFolded}
                      hidden={entries.filter((entry) => isFolded && entry !== current)}
                      connectionWarning={connectionWarning}
                      onToggle={() => toggle(group)}
                    />
                  )
                : index > 0 && <chakra.hr w="5" mx="auto" my="2" borderColor="border.strong" />}
              {entries
                // The page that is open stays in sight.
                .filter((entry) => !isFolded || entry === current)
                .map((entry) => (
                  <Entry
                    key={entry.id}
                    entry={entry}
                    isCurrent={entry === current}
                    expanded={expanded}
                    connectionWarning={connectionWarning}
                  />
                ))}
            </chakra.div>
          );
        })}
      </chakra.nav>
      <chakra.div
        display="flex"
        flexDirection="column"
        alignItems={expanded ? 'flex-start' : 'center'}
        flexShrink="0"
      >
        {!expanded && (
          <chakra.div pb="2">
            <IconButton
              label={t('drawer.expand')}
              icon={<PanelLeft size={20} />}
              onClick={onExpand}
            />
          </chakra.div>
        )}
        {!expanded && help.length > 0 && (
          <chakra.nav aria-label={t('groups.help')} w="full" pb="2">
            {help.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                isCurrent={entry === current}
                expanded={false}
                connectionWarning={false}
              />
            ))}
          </chakra.nav>
        )}
        <chakra.div
          w="full"
          h="11"
          display="flex"
          alignItems="center"
          justifyContent={expanded ? 'space-between' : 'center'}
          ps={expanded ? '5' : '0'}
          borderTopWidth="1px"
          textStyle="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
        >
          {expanded ? t('common:version', { version: VERSION }) : VERSION}
          {expanded && help.length > 0 && (
            <chakra.nav aria-label={t('groups.help')}>
              {help.map((entry) => (
                <Entry
                  key={entry.id}
                  entry={entry}
                  isCurrent={entry === current}
                  expanded
                  connectionWarning={false}
                  isAtFoot
                />
              ))}
            </chakra.nav>
          )}
        </chakra.div>
      </chakra.div>
    </chakra.div>
  );
});

interface GroupHeadingProps {
  name: string;
  isFirst: boolean;
  isFolded: boolean;
  /** The entries that the fold hides: what they would show, the heading shows for them. */
  hidden: readonly NavigationEntry[];
  connectionWarning: boolean;
  onToggle: () => void;
}

/** The heading of a group, a button that folds and unfolds it. */
function GroupHeading(props: GroupHeadingProps) {
  const { name, isFirst, isFolded, hidden, connectionWarning, onToggle } = props;
  const { t } = useTranslation('shell');
  const chats = useBadges((badges) => badges.chats);
  const tickets = useBadges((badges) => badges.tickets);
  const hides = (badge: NavigationEntry['badge']) => hidden.some((each) => each.badge === badge);
  const warns = connectionWarning && hides('connections');
  const hasUnread = chats > 0 && hides('chats');
  const count = hides('tickets') ? tickets : null;
  return (
    <chakra.button
      type="button"
      aria-expanded={!isFolded}
      // In the overlay a click elsewhere closes the drawer.
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      display="flex"
      alignItems="center"
      gap="1.5"
      w="calc(100% - {spacing.6})"
      h="7"
      mx="3"
      mt={isFirst ? '0' : '2'}
      px="2"
      borderRadius="sm"
      textStyle="sm"
      color="fg.muted"
      cursor="pointer"
      _hover={{ bg: 'bg.subtle', color: 'fg.default' }}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
    >
      <chakra.span truncate>{name}</chakra.span>
      <chakra.span
        aria-hidden
        display="flex"
        transition="transform"
        transitionDuration="fast"
        transform={isFolded ? 'rotate(-90deg)' : 'none'}
      >
        <ChevronDown size={14} />
      </chakra.span>
      <chakra.span display="flex" alignItems="center" gap="2" ms="auto">
        {hasUnread && (
          <>
            <chakra.span aria-hidden w="2" h="2" borderRadius="full" bg="brand.solid" />
            <chakra.span srOnly>{t('drawer.unreadChats', { count: chats })}</chakra.span>
          </>
        )}
        {count !== null && count > 0 && (
          <>
            <chakra.span aria-hidden textStyle="xs" fontVariantNumeric="tabular-nums">
              {formatCount(count)}
            </chakra.span>
            <chakra.span srOnly>{t('drawer.openTickets', { count })}</chakra.span>
          </>
        )}
        {warns && (
          <>
            <chakra.span color="status.waiting.fg" display="flex">
              <TriangleAlert size={16} aria-hidden />
            </chakra.span>
            <chakra.span srOnly>{t('drawer.connectionWarning')}</chakra.span>
          </>
        )}
      </chakra.span>
    </chakra.button>
  );
}

const Link = chakra(StillLink, {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    mx: '3',
    scrollMarginBlock: '2',
    borderRadius: 'sm',
    textStyle: 'sm',
    fontWeight: 'medium',
    color: 'fg.muted',
    transition: 'background-color, color',
    transitionDuration: 'fast',
    _hover: { bg: 'bg.subtle', color: 'fg.default' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg' },
    '&[aria-current=page]': {
      bg: 'brand.subtle',
      color: 'brand.fg',
      fontWeight: 'semibold',
      // The bar is at the screen's edge, outside the entry.
      _before: {
        content: '""',
        position: 'absolute',
        insetStart: '-12px',
        insetBlock: '6px',
        w: '3px',
        bg: 'brand.fg',
        borderEndRadius: 'xs',
      },
    },
  },
});

/** A count on an icon has room for two digits. */
const MOST_ON_ICON = 99;

interface EntryProps {
  entry: NavigationEntry;
  isCurrent: boolean;
  expanded: boolean;
  connectionWarning: boolean;
  /**
   * Whether the entry is in the footer beside the version, where the current page's bar does not
   * fit.
   */
  isAtFoot?: boolean;
}

function Entry(props: EntryProps) {
  const { entry, isCurrent, expanded, connectionWarning, isAtFoot = false } = props;
  const { t } = useTranslation('shell');
  const tickets = useBadges((badges) => badges.tickets);
  const Icon = entry.icon;
  const name = t(`pages.${entry.id}`);
  const warns = entry.badge === 'connections' && connectionWarning;
  const count = entry.badge === 'tickets' ? tickets : null;
  const chats = useBadges((badges) => badges.chats);
  const hasUnread = entry.badge === 'chats' && chats > 0;

  let end: ReactNode = null;
  if (warns) {
    end = (
      <chakra.span color="status.waiting.fg" display="flex">
        <TriangleAlert size={16} aria-hidden />
      </chakra.span>
    );
  } else if (hasUnread) {
    end = <chakra.span aria-hidden w="2" h="2" borderRadius="full" bg="brand.solid" />;
  } else if (count) {
    end = (
      <chakra.span aria-hidden textStyle="xs" fontVariantNumeric="tabular-nums">
        {formatCount(count)}
      </chakra.span>
    );
  }

  return (
    <Link
      to={entry.path}
      aria-current={isCurrent ? 'page' : undefined}
      {...(expanded
        ? { h: '8', px: '2' }
        : {
            h: '9',
            justifyContent: 'center',
            'data-tooltip': name,
            'data-tooltip-side': 'right',
          })}
      {...(isAtFoot && { css: { '&[aria-current=page]::before': { display: 'none' } } })}
    >
      <Icon size={expanded ? 16 : 20} />
      {expanded ? (
        <>
          <chakra.span flex="1" truncate>
            {name}
          </chakra.span>
          {end}
        </>
      ) : (
        <>
          <chakra.span srOnly>{name}</chakra.span>
          {(warns || hasUnread) && (
            <chakra.span
              position="absolute"
              top="1.5"
              insetEnd="1.5"
              w="2"
              h="2"
              borderRadius="full"
              bg={warns ? 'status.waiting.solid' : 'brand.solid'}
            />
          )}
          {count ? (
            <chakra.span aria-hidden position="absolute" top="-1" insetEnd="-2" display="flex">
              <CountBadge count={count} most={MOST_ON_ICON} tone="brand" />
            </chakra.span>
          ) : null}
        </>
      )}
      {warns && <chakra.span srOnly>{t('drawer.connectionWarning')}</chakra.span>}
      {hasUnread && <chakra.span srOnly>{t('drawer.unreadChats', { count: chats })}</chakra.span>}
      {count !== null && <chakra.span srOnly>{t('drawer.openTickets', { count })}</chakra.span>}
    </Link>
  );
}
