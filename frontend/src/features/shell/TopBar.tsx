import { chakra } from '@chakra-ui/react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Menu as MenuIcon, Moon, RefreshCw, Sun } from 'lucide-react';
import { Trans, useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { formatCount, formatDay } from '@/lib/format';
import { useCurrentUser } from '@/stores/session';
import { setOverlayOpen, toggleColourMode, useUi } from '@/stores/ui';
import { AccountMenu } from './AccountMenu';
import { VolumePopover } from './VolumePopover';

interface TopBarProps {
  title: string;
  /** Opens the user dialog for the current user. */
  onProfile: (() => void) | undefined;
}

export function TopBar({ title, onProfile }: TopBarProps) {
  const { t } = useTranslation('shell');
  const user = useCurrentUser();
  const dark = useUi((ui) => ui.colourMode === 'dark');
  const count = useUi((ui) => ui.pageCount);
  const focused = useUi((ui) => ui.narrowFocus);
  const queryClient = useQueryClient();
  const fetching = useIsFetching() > 0;
  const { dueDate } = user.company;

  return (
    <chakra.header
      display={{ base: focused ? 'none' : 'flex', sm: 'flex' }}
      alignItems="center"
      gap="4"
      h="topBar"
      flexShrink="0"
      ps={{ base: '2', sm: '4' }}
      pe={{ base: '2', sm: '4' }}
      bg="bg.surface"
      borderBottomWidth="1px"
    >
      <chakra.div display={{ base: 'block', sm: 'none' }} me="-3">
        <IconButton
          label={t('drawer.open')}
          icon={<MenuIcon size={20} />}
          onClick={() => setOverlayOpen(true)}
        />
      </chakra.div>
      <chakra.h1 textStyle="lg" fontWeight="semibold" truncate>
        {title}
        {count !== null && ` (${formatCount(count)})`}
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
      {user.profile === 'admin' && dueDate && (
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
      <chakra.div display="flex" alignItems="center" gap={{ base: '0', sm: '1' }} ms="auto">
        <IconButton
          label={t('bar.refresh')}
          icon={
            <chakra.span
              display="flex"
              {...(fetching && { animation: 'spin 0.9s linear infinite' })}
            >
              <RefreshCw size={20} />
            </chakra.span>
          }
          onClick={() => void queryClient.invalidateQueries()}
        />
        <VolumePopover />
        <IconButton
          label={dark ? t('bar.light') : t('bar.dark')}
          icon={dark ? <Sun size={20} /> : <Moon size={20} />}
          onClick={toggleColourMode}
        />
        <AccountMenu onProfile={onProfile} />
      </chakra.div>
    </chakra.header>
  );
}
