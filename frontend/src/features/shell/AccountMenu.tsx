import { chakra } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, LogOut, Moon, RefreshCw, ShieldCheck, Sun, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Menu, type MenuEntry } from '@/components/Menu';
import { logOut, useOpensNext } from '@/features/session/api';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '@/i18n';
import { formatDay } from '@/lib/format';
import { may } from '@/lib/permissions';
import { refetch } from '@/lib/refetch';
import { useNarrow } from '@/lib/useMedia';
import { useConnection } from '@/stores/connection';
import { useCurrentUser } from '@/stores/session';
import { toggleColourMode, useUi } from '@/stores/ui';
import { Volume, VolumeIcon } from './VolumePopover';

function languageEntries(): MenuEntry[] {
  return (Object.entries(LANGUAGES) as [Language, string][]).map(([code, label]) => ({
    id: `language-${code}`,
    label,
    checked: currentLanguage() === code,
    onSelect: () => void chooseLanguage(code),
  }));
}

interface AccountMenuProps {
  onProfile: (() => void) | undefined;
  onSecurity: (() => void) | undefined;
}

/** The account menu: profile, language and logout; on narrow screens also the top bar's buttons. */
export function AccountMenu({ onProfile, onSecurity }: AccountMenuProps) {
  const { t } = useTranslation(['shell', 'common']);
  const user = useCurrentUser();
  const { company } = user;
  const online = useConnection((connection) => connection.state === 'connected');
  const [opensNext, toggleOpensNext] = useOpensNext();
  const own: MenuEntry[] = [];
  if (onProfile) {
    const icon = <UserRound size={16} />;
    own.push({ id: 'profile', label: t('account.profile'), icon, onSelect: onProfile });
  }
  if (onSecurity) {
    const icon = <ShieldCheck size={16} />;
    own.push({ id: 'security', label: t('account.security'), icon, onSelect: onSecurity });
  }
  const isNarrow = useNarrow();
  const dark = useUi((ui) => ui.colourMode === 'dark');
  const queryClient = useQueryClient();
  const [isVolumeOpen, setVolumeOpen] = useState(false);
  const bar: MenuEntry[] = isNarrow
    ? [
        {
          id: 'refresh',
          label: t('bar.refresh'),
          icon: <RefreshCw size={16} />,
          onSelect: () => void refetch(queryClient),
        },
        {
          id: 'volume',
          label: t('bar.volume'),
          icon: <VolumeIcon size={16} />,
          onSelect: () => setVolumeOpen(true),
        },
        {
          id: 'theme',
          label: dark ? t('bar.light') : t('bar.dark'),
          icon: dark ? <Sun size={16} /> : <Moon size={16} />,
          onSelect: toggleColourMode,
        },
      ]
    : [];
  const menu = (
    <Menu
      header={
        <chakra.div px="2" py="1.5" maxW="260px">
          <chakra.p textStyle="sm" fontWeight="semibold" truncate>
            {user.name}
          </chakra.p>
          <chakra.p textStyle="xs" color="fg.muted" truncate>
            {user.email}
          </chakra.p>
          {/* What the top bar has no room for. */}
          <chakra.p textStyle="xs" color="fg.muted" truncate hideFrom="md">
            {company.name}
          </chakra.p>
          {may(user, 'billing:manage') && company.dueDate && (
            <chakra.p textStyle="xs" color="fg.muted" hideFrom="lg">
              {t('activeUntil', { date: formatDay(company.dueDate) })}
            </chakra.p>
          )}
        </chakra.div>
      }
      groups={[
        { entries: own },
        { entries: bar },
        {
          entries: [
            {
              id: 'opensNext',
              label: t('account.opensNext'),
              checked: opensNext,
              onSelect: toggleOpensNext,
            },
          ],
        },
        { label: t('common:language'), entries: languageEntries() },
        {
          entries: [
            {
              id: 'logout',
              label: t('account.logout'),
              icon: <LogOut size={16} />,
              onSelect: () => void logOut(),
            },
          ],
        },
      ]}
      trigger={
        <Button variant="ghost" px="1.5" aria-label={t('account.open', { name: user.name })}>
          <Avatar name={user.name} size={32} online={online} />
          <chakra.span display={{ base: 'none', sm: 'flex' }}>
            <ChevronDown size={16} />
          </chakra.span>
        </Button>
      }
    />
  );
  return (
    <>
      {menu}
      <Dialog
        open={isVolumeOpen}
        onClose={() => setVolumeOpen(false)}
        title={t('bar.volume')}
        size="sm"
        low
      >
        <Volume />
      </Dialog>
    </>
  );
}
