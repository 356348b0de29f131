import {
  BadgeCheck,
  BellOff,
  BotMessageSquare,
  Blocks,
  BookUser,
  CalendarClock,
  ChartNoAxesColumn,
  CircleQuestionMark,
  CodeXml,
  Coins,
  Contact,
  Files,
  Layers,
  LayoutDashboard,
  LayoutTemplate,
  ListTodo,
  Mail,
  Megaphone,
  MessageCircle,
  MessagesSquare,
  Newspaper,
  Receipt,
  ScrollText,
  Settings,
  SlidersHorizontal,
  Smartphone,
  Split,
  SquareKanban,
  Tags,
  UserCog,
  UsersRound,
  Webhook,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import type { SessionUser } from '@/lib/api/types';
import {
  may,
  opens,
  planAllows,
  type GuardedPage,
  type Permission,
  type PlanFlag,
} from '@/lib/permissions';

/** The groups in the drawer's order; the last is in its footer. */
const GROUPS = ['home', 'service', 'contacts', 'campaigns', 'administration', 'help'] as const;
export type Group = (typeof GROUPS)[number];

export interface NavigationEntry {
  /** Also the key of its name: `shell:pages.<id>`. */
  id: string;
  path: string;
  /** The prefix of other pages that belong to the entry. */
  also?: string;
  group: Group;
  icon: LucideIcon;
  /** Its name in the server's table of permissions; without one it is open to every role. */
  page?: GuardedPage;
  planFlag?: PlanFlag;
  superOnly?: boolean;
  /** The company's settings of which one has to be enabled for the entry to be listed. */
  setting?: string | readonly string[];
  /** Who may do this and has no settings page, where it begins, has the entry before as well. */
  beginsWith?: Permission;
  badge?: 'tickets' | 'connections' | 'chats';
}

/** Every entry of the drawer, in order. */
const NAVIGATION: readonly NavigationEntry[] = [
  {
    id: 'dashboard',
    path: '/',
    group: 'home',
    icon: LayoutDashboard,
    page: 'dashboard',
  },
  {
    id: 'reports',
    path: '/reports',
    group: 'home',
    icon: ChartNoAxesColumn,
    page: 'reports',
  },
  {
    id: 'tickets',
    path: '/tickets',
    group: 'service',
    icon: MessagesSquare,
    badge: 'tickets',
  },
  { id: 'kanban', path: '/kanban', group: 'service', icon: SquareKanban, planFlag: 'useKanban' },
  {
    id: 'quickMessages',
    path: '/quick-messages',
    group: 'service',
    icon: Zap,
  },
  {
    id: 'rules',
    path: '/rules',
    group: 'service',
    icon: Split,
    setting: ['rules', 'macros'],
    beginsWith: 'rules:manage',
  },
  { id: 'tasks', path: '/todolist', group: 'service', icon: ListTodo },
  {
    id: 'schedules',
    path: '/schedules',
    group: 'service',
    icon: CalendarClock,
    page: 'schedules',
    planFlag: 'useSchedules',
  },
  {
    id: 'chats',
    path: '/chats',
    group: 'service',
    icon: MessageCircle,
    planFlag: 'useInternalChat',
    badge: 'chats',
  },
  {
    id: 'contacts',
    path: '/contacts',
    group: 'contacts',
    icon: Contact,
    page: 'contacts',
  },
  {
    id: 'tags',
    path: '/tags',
    group: 'contacts',
    icon: Tags,
  },
  {
    id: 'emails',
    path: '/Email',
    // The list of sent e-mails.
    also: '/EmailLis',
    group: 'contacts',
    icon: Mail,
  },
  {
    id: 'campaigns',
    path: '/campaigns',
    // The report of a campaign.
    also: '/campaign',
    group: 'campaigns',
    icon: Megaphone,
    page: 'campaigns',
    planFlag: 'useCampaigns',
  },
  {
    id: 'contactLists',
    path: '/contact-lists',
    group: 'campaigns',
    icon: BookUser,
    page: 'contactLists',
    planFlag: 'useCampaigns',
  },
  {
    id: 'optOuts',
    path: '/opt-outs',
    group: 'campaigns',
    icon: BellOff,
    page: 'optOuts',
    planFlag: 'useCampaigns',
  },
  {
    id: 'campaignSettings',
    path: '/campaigns-config',
    group: 'campaigns',
    icon: SlidersHorizontal,
    page: 'campaignSettings',
    planFlag: 'useCampaigns',
  },
  {
    id: 'connections',
    path: '/connections',
    group: 'administration',
    icon: Smartphone,
    page: 'connections',
    badge: 'connections',
  },
  {
    id: 'files',
    path: '/files',
    group: 'administration',
    icon: Files,
    page: 'files',
  },
  {
    id: 'queues',
    path: '/queues',
    group: 'administration',
    icon: Layers,
    page: 'queues',
  },
  {
    id: 'users',
    path: '/users',
    group: 'administration',
    icon: UserCog,
    page: 'users',
  },
  {
    id: 'team',
    path: '/team',
    group: 'administration',
    icon: UsersRound,
    page: 'team',
    setting: 'assignment',
  },
  {
    id: 'templates',
    path: '/message-templates',
    group: 'administration',
    icon: LayoutTemplate,
    page: 'templates',
  },
  {
    id: 'prompts',
    path: '/prompts',
    group: 'administration',
    icon: BotMessageSquare,
    page: 'prompts',
    planFlag: 'useOpenAi',
  },
  {
    id: 'integrations',
    path: '/queue-integration',
    group: 'administration',
    icon: Blocks,
    page: 'integrations',
    planFlag: 'useIntegrations',
  },
  {
    id: 'messagesApi',
    path: '/messages-api',
    group: 'administration',
    icon: CodeXml,
    page: 'messagesApi',
    planFlag: 'useExternalApi',
  },
  {
    id: 'outgoingWebhooks',
    path: '/outgoing-webhooks',
    group: 'administration',
    icon: Webhook,
    page: 'outgoingWebhooks',
    planFlag: 'useExternalApi',
  },
  {
    id: 'announcements',
    path: '/announcements',
    group: 'administration',
    icon: Newspaper,
    superOnly: true,
  },
  {
    id: 'invoices',
    path: '/financeiro',
    group: 'administration',
    icon: Receipt,
    page: 'invoices',
  },
  {
    id: 'subscription',
    path: '/subscription',
    group: 'administration',
    icon: BadgeCheck,
    page: 'subscription',
  },
  {
    id: 'costs',
    path: '/costs',
    group: 'administration',
    icon: Coins,
    page: 'costs',
  },
  {
    id: 'auditLog',
    path: '/audit-log',
    group: 'administration',
    icon: ScrollText,
    page: 'auditLog',
  },
  {
    id: 'settings',
    path: '/settings',
    group: 'administration',
    icon: Settings,
    page: 'settings',
  },
  {
    id: 'helps',
    path: '/helps',
    group: 'help',
    icon: CircleQuestionMark,
  },
];

/** Whether the user's role opens the page. */
export function isPermitted(entry: NavigationEntry, user: SessionUser): boolean {
  return (!entry.page || opens(user, entry.page)) && (!entry.superOnly || user.super);
}

/** Whether the company's plan includes the page. */
export function isInPlan(entry: NavigationEntry, user: SessionUser): boolean {
  return !entry.planFlag || planAllows(user, entry.planFlag);
}

export function isVisible(entry: NavigationEntry, user: SessionUser): boolean {
  return isPermitted(entry, user) && isInPlan(entry, user);
}

function isSwitchedOn({ setting, beginsWith }: NavigationEntry, user: SessionUser): boolean {
  if (!setting || (beginsWith && may(user, beginsWith) && !opens(user, 'settings'))) return true;
  const keys = [setting].flat();
  return user.company.settings.some(({ key, value }) => keys.includes(key) && value === 'enabled');
}

/** The entries that a user sees, by group; empty groups are left out. */
export function visibleGroups(
  user: SessionUser,
  entries: readonly NavigationEntry[] = NAVIGATION,
): { group: Group; entries: NavigationEntry[] }[] {
  return GROUPS.map((group) => ({
    group,
    entries: entries.filter(
      (entry) => entry.group === group && isVisible(entry, user) && isSwitchedOn(entry, user),
    ),
  })).filter(({ entries: shown }) => shown.length > 0);
}

/** The entry of a path; '/tickets/…' belongs to tickets. */
export function entryOfPath(
  pathname: string,
  entries: readonly NavigationEntry[] = NAVIGATION,
): NavigationEntry | undefined {
  return entries.find(
    ({ path, also }) =>
      pathname === path ||
      pathname.startsWith(`${path}/`) ||
      (also !== undefined && (pathname === also || pathname.startsWith(`${also}/`))),
  );
}
