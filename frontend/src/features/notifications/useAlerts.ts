import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { Ticket } from '@/features/tickets/api';
import { openBrowserTabs, type BrowserTabs } from '@/lib/browserTabs';
import { showOnDesktop } from '@/lib/desktop';
import { may } from '@/lib/permissions';
import { useCompanyEvent } from '@/lib/socket';
import { playChime } from '@/lib/sound';
import { toast } from '@/lib/toast';
import { paths } from '@/routes/paths';
import { useCurrentUser } from '@/stores/session';
import { storedVolume } from '@/stores/ui';

/** Alerts within this time share one sound. */
const QUIET_MS = 1500;

/**
 * Tells of a conversation that a deadline, a rule or the distribution calls the user to; the server
 * chooses whom it concerns (rules/screens §4).
 */
export function useAlerts() {
  const { t } = useTranslation('notifications');
  const user = useCurrentUser();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const tabs = useRef<BrowserTabs | null>(null);
  const soundedAt = useRef(-QUIET_MS);
  useEffect(() => {
    const opened = openBrowserTabs('balcao-alerts');
    tabs.current = opened;
    return () => opened.close();
  }, []);

  const tell = (ticket: Ticket, words: string) => {
    const open = () => void navigate(paths.ticket(ticket.uuid));
    toast.news(words, t('handedOver.open'), open);
    const isLookedAt = document.hasFocus() && pathname === paths.ticket(ticket.uuid);
    if (isLookedAt || !tabs.current?.tells()) return;
    if (performance.now() - soundedAt.current >= QUIET_MS) {
      soundedAt.current = performance.now();
      playChime(storedVolume());
    }
    // The latest one alone: many deadlines may end at once.
    showOnDesktop({ title: ticket.contact.name, body: words, tag: 'alert', onOpen: open });
  };

  useCompanyEvent('assignmentAlert', ({ ticket }) => {
    if (may(user, 'tickets:seeAll'))
      tell(ticket, t('alerts.assignment', { name: ticket.contact.name }));
  });
  useCompanyEvent('slaAlert', ({ ticket, kind, missed }) =>
    tell(ticket, t(`alerts.${missed ? 'missed' : 'near'}.${kind}`, { name: ticket.contact.name })),
  );
  useCompanyEvent('ruleAlert', ({ ticket, name, text }) => {
    const contact = ticket.contact.name;
    const words = text
      ? t('alerts.ruleSaid', { name: contact, text })
      : t(`alerts.${name ? 'rule' : 'ruleUnnamed'}`, { name: contact, rule: name });
    tell(ticket, words);
  });
}
