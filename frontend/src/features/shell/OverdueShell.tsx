import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, LogOut, Moon, Sun } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button } from '@/components/Button';
import { ConnectionBanner } from '@/components/ConnectionBanner';
import { IconButton } from '@/components/IconButton';
import { LanguageSelect } from '@/components/LanguageSelect';
import { Logo } from '@/components/Logo';
import { PortalPlace, usePortalPlace } from '@/components/Portal';
import { SupportLine } from '@/components/SupportLine';
import { Tooltips } from '@/components/Tooltips';
import { checkoutQuery } from '@/features/billing/api';
import { logOut } from '@/features/session/api';
import { refreshSession } from '@/lib/api/client';
import { formatDay } from '@/lib/format';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { useCurrentUser, useSession } from '@/stores/session';
import { toggleColourMode, useUi } from '@/stores/ui';

/** The delay before leaving for the home page, so that the user can read the confirmation. */
const HOME_MS = 4000;

/** The shell for an overdue company's admin: the invoices, their payment, and the logout. */
export function OverdueShell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell');
  const user = useCurrentUser();
  const dark = useUi((ui) => ui.colourMode === 'dark');
  const portals = usePortalPlace();
  const title = t('pages.invoices');
  useEffect(() => {
    document.title = `${title} · Balcão`;
  }, [title]);

  return (
    <PortalPlace value={portals.place}>
      <chakra.div display="flex" flexDirection="column" h="full">
        <chakra.div position="relative" flexShrink="0">
          <chakra.header
            display="flex"
            alignItems="center"
            gap="3"
            h="topBar"
            px={{ base: '4', sm: '6' }}
            bg="bg.surface"
            borderBottomWidth="1px"
          >
            <Logo />
            <chakra.h1 textStyle="lg" fontWeight="semibold">
              {title}
            </chakra.h1>
            <chakra.p
              display={{ base: 'none', md: 'block' }}
              ps="4"
              borderStartWidth="1px"
              textStyle="sm"
              color="fg.muted"
              truncate
            >
              {user.company.name}
            </chakra.p>
            <chakra.div display="flex" alignItems="center" gap="2" ms="auto" textStyle="sm">
              <chakra.span hideBelow="sm">
                <LanguageSelect />
              </chakra.span>
              <IconButton
                label={dark ? t('bar.light') : t('bar.dark')}
                icon={dark ? <Sun size={20} /> : <Moon size={20} />}
                onClick={toggleColourMode}
              />
              <Button
                variant="outline"
                size="sm"
                icon={<LogOut size={16} />}
                onClick={() => void logOut()}
              >
                {t('account.logout')}
              </Button>
            </chakra.div>
          </chakra.header>
          <ConnectionBanner isBare={false} />
        </chakra.div>
        <chakra.main
          id="content"
          tabIndex={-1}
          outline="none"
          flex="1"
          minH="0"
          display="flex"
          flexDirection="column"
        >
          <Notice />
          {children}
          <Tooltips />
          {portals.holder}
        </chakra.main>
      </chakra.div>
    </PortalPlace>
  );
}

/** Says that the company is overdue; after the payment it confirms it and opens the home page. */
function Notice() {
  const { t } = useTranslation(['shell', 'errors']);
  const navigate = useNavigate();
  const since = useSession((state) => state.overdueSince);
  const support = useQuery(checkoutQuery()).data?.support;
  const { company } = useCurrentUser();
  const [renewedUntil, setRenewedUntil] = useState<string | null>(null);
  const paidUntil = renewedUntil ?? (since === null ? company.dueDate : null);
  const [isLooking, setLooking] = useState(false);
  useCompanyEvent('payment', (event) => {
    if (event.action === 'CONCLUIDA') setRenewedUntil(event.company.dueDate);
  });

  const goHome = () =>
    refreshSession().then(() => {
      if (useSession.getState().overdueSince !== null) return false;
      void navigate(paths.home);
      return true;
    });
  const leave = useEffectEvent(() => void goHome().catch(() => undefined));
  useEffect(() => {
    if (paidUntil === null) return undefined;
    const timer = setTimeout(() => leave(), HOME_MS);
    return () => clearTimeout(timer);
  }, [paidUntil]);
  const look = () => {
    setLooking(true);
    goHome()
      .then(
        (isPaid) => {
          if (!isPaid) toast.info(t('overdue.notYet'));
        },
        (error: unknown) => toast.error(error),
      )
      .finally(() => setLooking(false));
  };

  const isPaid = paidUntil !== null;
  return (
    <chakra.section
      role="status"
      display="flex"
      flexDirection={{ base: 'column', sm: 'row' }}
      alignItems={{ base: 'stretch', sm: 'center' }}
      gap={{ base: '3', sm: '6' }}
      flexShrink="0"
      mx={{ base: '4', sm: '6' }}
      mt={{ base: '4', sm: '6' }}
      p="4"
      borderWidth="1px"
      borderRadius="lg"
      borderColor={isPaid ? 'status.live.fg' : 'status.danger.border'}
      bg={isPaid ? 'status.live.subtle' : 'status.danger.subtle'}
    >
      <chakra.div display="flex" gap="3" flex="1" minW="0">
        <chakra.span
          aria-hidden
          flexShrink="0"
          mt="0.5"
          color={isPaid ? 'status.live.fg' : 'status.danger.fg'}
        >
          {isPaid ? <CircleCheck size={20} /> : <CircleAlert size={20} />}
        </chakra.span>
        <chakra.div minW="0" display="flex" flexDirection="column" gap="1">
          <chakra.p fontWeight="semibold">
            {isPaid
              ? t('overdue.renewed', { date: formatDay(paidUntil) })
              : t('errors:ERR_COMPANY_EXPIRED', { date: formatDay(since ?? '') })}
          </chakra.p>
          <chakra.p textStyle="sm">{isPaid ? t('overdue.goingHome') : t('overdue.how')}</chakra.p>
          {!isPaid && support && <SupportLine support={support} />}
        </chakra.div>
      </chakra.div>
      {!isPaid && (
        <Button variant="outline" flexShrink="0" loading={isLooking} onClick={look}>
          {t('overdue.look')}
        </Button>
      )}
    </chakra.section>
  );
}
