import { chakra } from '@chakra-ui/react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Menu as MenuIcon, Moon, RefreshCw, Search, Sun } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { formatCount, formatDay } from '@/lib/format';
import { may } from '@/lib/permissions';
import { refetch } from '@/lib/refetch';
import { useCurrentUser } from '@/stores/session';
import { setOverlayOpen, toggleColourMode, useUi } from '@/stores/ui';
import { short } from '@/theme/screens';
import { AccountMenu } from './AccountMenu';
import { VolumePopover } from './VolumePopover';

interface TopBarProps {
  title: string;
  /** Opens the user dialog for the current user. */
  onProfile: (() => void) | undefined;
  /** Opens the security settings of the current user's account. */
  onSecurity: (() => void) | undefined;
  /** Opens the command palette. */
  onSearch: (() => void) | undefined;
  /** Announcements and team chat. */
  news: ReactNode;
}

/** Memoised: pages with the same title share it, and its parts subscribe to their own data. */
export const TopBar = memo(function TopBar({
  title,
  onProfile,
  onSecurity,
  onSearch,
  news,
}: TopBarProps) {
  const { t } = useTranslation('shell');
  const user = useCurrentUser();
  const dark = useUi((ui) => ui.colourMode === 'dark');
  const count = useUi((ui) => ui.pageCount);
  const focused = useUi((ui) => ui.narrowFocus);
  const { dueDate } = user.company;

  return (
    <chakra.header
      display={{ base: focused ? 'none' : 'flex', sm: 'flex' }}
      css={{ [short]: { display: focused ? 'none' : 'flex' } }}
      alignItems="center"
      // On narrow screens buttons have space enough around their icons.
      gap={{ base: '0', sm: '4' }}
      h="topBar"
      flexShrink="0"
      ps={{ base: '2', sm: '4' }}
      pe={{ base: '2', sm: '4' }}
      bg="bg.surface"
      borderBottomWidth="1px"
    >
      <chakra.div display={{ base: 'block', sm: 'none' }} me="1">
        <IconButton
          label={t('drawer.open')}
          icon={<MenuIcon size={20} />}
          onClick={() => setOverlayOpen(true)}
        />
      </chakra.div>
      <chakra.h1
        display="flex"
        alignItems="center"
        minW="0"
        // The greeting shrinks first.
        flexShrink={{ base: '1', md: '0' }}
        textStyle={{ base: 'md', sm: 'lg' }}
        fontWeight="semibold"
      >
        {/* A title too long for a narrow bar has two lines. */}
        <chakra.span
          lineClamp={{ base: 2, sm: 1 }}
          lineHeight={{ base: '1.2', sm: 'inherit' }}
          overflowWrap="anywhere"
          hyphens="auto"
        >
          {title}
        </chakra.span>
        {count !== null && <chakra.span whiteSpace="pre">{` (${formatCount(count)})`}</chakra.span>}
      </chakra.h1>
      <chakra.p
        display={{ base: 'none', md: 'block' }}
        ps="4"
        borderStartWidth="1px"
        textStyle="sm"
        color="fg.muted"
        truncate
      >
        <Trans
          t={t}
          i18nKey="greeting"
          values={{ name: user.name, company: user.company.name }}
          components={{
            name: <chakra.strong fontWeight="semibold" color="fg.default" />,
          }}
        />
      </chakra.p>
      {may(user, 'billing:manage') && dueDate && (
        <chakra.span
          display={{ base: 'none', lg: 'inline-flex' }}
          alignItems="center"
          flexShrink="0"
          h="6"
          px="2.5"
          borderWidth="1px"
          borderColor="border.strong"
          borderRadius="sm"
          textStyle="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
        >
          {t('activeUntil', { date: formatDay(dueDate) })}
        </chakra.span>
      )}
      <chakra.div
        display="flex"
        alignItems="center"
        gap={{ base: '0', sm: '1' }}
        ms="auto"
        minW="0"
        // Where the search is an icon, the title shrinks instead.
        flexShrink={{ base: '0', lg: '1' }}
      >
        {onSearch && <SearchButton onSearch={onSearch} />}
        {/* Narrow screens have these buttons in the account menu. */}
        <chakra.div hideBelow="sm" display="flex" alignItems="center" gap="1">
          <RefreshButton />
          <VolumePopover />
          <IconButton
            label={dark ? t('bar.light') : t('bar.dark')}
            icon={dark ? <Sun size={20} /> : <Moon size={20} />}
            onClick={toggleColourMode}
          />
        </chakra.div>
        {news}
        <AccountMenu onProfile={onProfile} onSecurity={onSecurity} />
      </chakra.div>
    </chakra.header>
  );
});

/** Reloads the page's data; the icon spins while anything is being fetched. */
function RefreshButton() {
  const { t } = useTranslation('shell');
  const queryClient = useQueryClient();
  const fetching = useIsFetching() > 0;
  return (
    <IconButton
      label={t('bar.refresh')}
      icon={
        <chakra.span display="flex" {...(fetching && { animation: 'spin 0.9s linear infinite' })}>
          <RefreshCw size={20} />
        </chakra.span>
      }
      onClick={() => void refetch(queryClient)}
    />
  );
}

const isApple = /Mac|iP/.test(navigator.userAgent);

/** Opens the command palette; looks like a search field, or is an icon on narrow screens. */
function SearchButton({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <>
      <chakra.button
        type="button"
        onClick={onSearch}
        aria-haspopup="dialog"
        display={{ base: 'none', lg: 'flex' }}
        alignItems="center"
        gap="2"
        flexShrink="1"
        minW="0"
        w="288px"
        h="9"
        ps="3"
        pe="2"
        me="2"
        borderRadius="md"
        bg="bg.subtle"
        color="fg.muted"
        textStyle="sm"
        cursor="pointer"
        _hover={{ bg: 'bg.hover' }}
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
      >
        <Search size={16} strokeWidth={1.75} aria-hidden />
        <chakra.span flex="1" textAlign="start" truncate>
          {t('bar.search')}
        </chakra.span>
        <chakra.kbd
          aria-hidden
          px="1.5"
          borderWidth="1px"
          borderColor="border.strong"
          borderRadius="sm"
          bg="bg.surface"
          fontFamily="inherit"
          textStyle="xs"
        >
          {isApple ? '⌘K' : 'Ctrl K'}
        </chakra.kbd>
      </chakra.button>
      <chakra.div display={{ base: 'block', lg: 'none' }}>
        <IconButton label={t('bar.search')} icon={<Search size={20} />} onClick={onSearch} />
      </chakra.div>
    </>
  );
}
