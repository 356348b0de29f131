import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { Splash } from '@/components/Splash';
import { ErrorState } from '@/components/States';
import { StillLinks } from '@/components/StillLink';
import { UnsavedGuard } from '@/components/UnsavedGuard';
import { UnsentGuard } from '@/components/UnsentGuard';
// Messages that wait are sent on every page.
import '@/features/chat/outbox';
import '@/features/messages/outbox';
import { AnnouncementsPopover } from '@/features/announcements/AnnouncementsPopover';
import { ChatPopover } from '@/features/chat/ChatPopover';
import { useDistributes } from '@/features/desk/api';
import { syncDrafts, takeDraft } from '@/features/messages/draftSync';
import { useDesktopPrompt } from '@/features/notifications/DesktopPrompt';
import { Notifications } from '@/features/notifications/Notifications';
import { resumeSession } from '@/features/session/api';
import { useSessionEvents } from '@/features/session/events';
import { useSettingEvents } from '@/features/settings/events';
import { CampaignsNotice } from '@/features/shell/CampaignsNotice';
import { useDemoBanner } from '@/features/shell/DemoBanner';
import {
  entryOfPath,
  isPermitted,
  isVisible,
  type NavigationEntry,
} from '@/features/shell/navigation';
import { Shell } from '@/features/shell/Shell';
import { TemplateNews } from '@/features/templates/TemplateNews';
import { networkError } from '@/lib/api/errors';
import { canMakeCampaigns, may } from '@/lib/permissions';
import { openSocket, useCompanyEvent } from '@/lib/socket';
import { keepToastsLonger, toast } from '@/lib/toast';
import { useClosing } from '@/stores/closing';
import { useCurrentUser, useSession } from '@/stores/session';
import { useUi } from '@/stores/ui';
import { Overlays, useOverlays } from './overlays';
import { paths } from './paths';

// Loaded on demand, to keep the form components out of the first page.
const UserDialog = lazy(() =>
  import('@/features/users/UserDialog').then((file) => ({ default: file.UserDialog })),
);

// Companies without distribution have no presence.
const PresenceMenu = lazy(() =>
  import('@/features/desk/PresenceMenu').then((file) => ({ default: file.PresenceMenu })),
);

const SecurityDialog = lazy(() =>
  import('@/features/security/SecurityDialog').then((file) => ({ default: file.SecurityDialog })),
);

// Rarely shown.
const ClosingGuard = lazy(() => import('@/features/tickets/ClosingDialog'));
const Forbidden = lazy(() => import('./Forbidden').then((file) => ({ default: file.Forbidden })));
const OverdueShell = lazy(() =>
  import('@/features/shell/OverdueShell').then((file) => ({ default: file.OverdueShell })),
);
const PlanGuard = lazy(() => import('./PlanGuard').then((file) => ({ default: file.PlanGuard })));

function OwnPresence() {
  const isOn = useDistributes();
  return isOn ? <PresenceMenu /> : null;
}

// A constant element, so that the memoised top bar does not render again.
const barNews = (
  <>
    <Suspense>
      <OwnPresence />
    </Suspense>
    <Suspense>
      <AnnouncementsPopover />
      <ChatPopover />
    </Suspense>
  </>
);

/** The frame of private pages: requires a session, then renders the shell around the page. */
export function Component() {
  const { t } = useTranslation('session');
  const status = useSession((state) => state.status);
  const isHeld = useUi((ui) => ui.pageHeld);
  if (status === 'out') return <Navigate to={paths.login} replace />;
  if (status === 'starting' || isHeld) return <Splash label={t('starting')} />;
  if (status === 'unreachable') {
    return (
      <ErrorState
        title={t('unreachableTitle')}
        error={networkError()}
        onRetry={() => void resumeSession()}
      />
    );
  }
  return <SignedIn />;
}

function SignedIn() {
  const isOverdue = useSession((state) => state.overdueSince !== null);
  const { pathname } = useLocation();
  const [isPaying, setPaying] = useState(isOverdue);
  if (isOverdue && !isPaying) setPaying(true);
  // Any request may find that the invoice is paid. On the invoices page the shell stays, confirms
  // the payment and then leaves.
  if (!isOverdue && isPaying && pathname !== paths.invoices) setPaying(false);
  const asksClosing = useClosing(({ question }) => question !== null);
  return (
    <StillLinks>
      {isPaying ? <Overdue /> : <Private />}
      <UnsentGuard />
      {asksClosing && (
        <Suspense>
          <ClosingGuard />
        </Suspense>
      )}
    </StillLinks>
  );
}

/** An overdue company's admin may only open the invoices. */
function Overdue() {
  const user = useCurrentUser();
  const { pathname } = useLocation();
  useEffect(() => openSocket(), [user.id]);
  if (pathname !== paths.invoices) return <Navigate to={paths.invoices} replace />;
  return (
    <Suspense fallback={<Splash />}>
      <OverdueShell>
        <Suspense fallback={<Splash />}>
          <Outlet />
        </Suspense>
      </OverdueShell>
    </Suspense>
  );
}

/** The gravest notice above the page; the next one shows when it is gone (rules/screens §1). */
function PageNotice({ lacksCampaigns }: { lacksCampaigns: boolean }) {
  const desktop = useDesktopPrompt();
  const demo = useDemoBanner();
  return lacksCampaigns ? <CampaignsNotice /> : (desktop ?? demo);
}

function Private() {
  const { t } = useTranslation('shell');
  const user = useCurrentUser();
  const [own, setOwn] = useState<'profile' | 'security' | null>(null);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { overlay, setOverlay } = useOverlays();
  useEffect(() => openSocket(), [user.id]);
  useSessionEvents();
  useSettingEvents();
  // What was begun to be written moved to the ticket in which the contact wrote.
  useCompanyEvent('ticketFollow', ({ action }) => {
    if (action === 'update') void syncDrafts();
  });
  useCompanyEvent('rule', (event) => {
    if (event.action !== 'stopped' || !may(user, 'rules:manage')) return;
    const { name, sentence } = event.run;
    const words = t(`shell:ruleStopped.${name ? 'named' : 'unnamed'}`, { name, sentence });
    toast.news(words, t('shell:ruleStopped.see'), () => void navigate(`${paths.rules}?part=log`));
  });
  useCompanyEvent('ticketDraft', takeDraft);
  const entry = entryOfPath(pathname);
  const isAboutCampaigns = entry?.group === 'campaigns';
  useEffect(() => (isAboutCampaigns ? keepToastsLonger() : undefined), [isAboutCampaigns]);
  const openProfile = useCallback(() => setOwn('profile'), []);
  const openSecurity = useCallback(() => setOwn('security'), []);
  const openPalette = useCallback(() => setOverlay({ kind: 'palette' }), [setOverlay]);
  const lacksCampaigns = isAboutCampaigns && !canMakeCampaigns(user);
  const notice = useMemo(
    () => (
      <Suspense>
        <PageNotice lacksCampaigns={lacksCampaigns} />
      </Suspense>
    ),
    [lacksCampaigns],
  );
  // The same elements at another address of the page: the outlet alone follows it.
  const content = useMemo(
    () => (
      <>
        <Suspense>
          <Notifications />
          <TemplateNews />
        </Suspense>
        {/* A page that suspends must not affect the dialogs. */}
        <Suspense fallback={<Splash />}>
          <Guarded entry={entry} />
        </Suspense>
        <UnsavedGuard />
        <Overlays overlay={overlay} setOverlay={setOverlay} />
        <Suspense>
          {own === 'profile' && <UserDialog userId={user.id} onClose={() => setOwn(null)} />}
          {own === 'security' && <SecurityDialog onClose={() => setOwn(null)} />}
        </Suspense>
      </>
    ),
    [entry, overlay, setOverlay, own, user.id],
  );
  return (
    <Shell
      entry={entry}
      onProfile={openProfile}
      onSecurity={openSecurity}
      onSearch={openPalette}
      news={barNews}
      notice={notice}
    >
      {content}
    </Shell>
  );
}

/** The page, if the user's role and the company's plan have it. */
function Guarded({ entry }: { entry: NavigationEntry | undefined }) {
  const user = useCurrentUser();
  // The home route itself redirects users who may not see the dashboard.
  if (!entry || entry.path === paths.home) return <Outlet />;
  if (!entry.superOnly && !isPermitted(entry, user)) return <Forbidden />;
  return isVisible(entry, user) ? <Outlet /> : <PlanGuard key={entry.id} />;
}
