import type { SessionUser } from '@/lib/api/types';
import type { GuardedPage, Permission } from '@/lib/permissions';

/** What the role `user` allows, and all that an admin may (rules/accounts §2). */
export const OF_USERS: Permission[] = [
  'tickets:seeQueues',
  'tickets:take',
  'tickets:assign',
  'tickets:transfer',
  'tickets:resolve',
  'contacts:see',
  'contacts:edit',
  'contacts:export',
  'contacts:fullNumber',
];
const OF_ADMINS: Permission[] = [
  ...OF_USERS,
  'tickets:seeAll',
  'tickets:delete',
  'contacts:delete',
  'campaigns:manage',
  'connections:manage',
  'queues:manage',
  'ai:manage',
  'reports:all',
  'billing:manage',
  'users:manage',
  'settings:manage',
  'programs:manage',
];
const PAGES_OF_ADMINS: GuardedPage[] = [
  'dashboard',
  'contacts',
  'campaigns',
  'contactLists',
  'optOuts',
  'campaignSettings',
  'connections',
  'files',
  'queues',
  'users',
  'templates',
  'prompts',
  'integrations',
  'messagesApi',
  'outgoingWebhooks',
  'invoices',
  'subscription',
  'costs',
  'auditLog',
  'settings',
];

/**
 * A signed-in admin of company 2, with the given changes; without the admin's profile or actions an
 * attendant.
 */
export function makeUser(changes: Partial<SessionUser> = {}): SessionUser {
  const isAttendant = changes.profile === 'user' || changes.permissions?.length === 0;
  return {
    role: isAttendant ? 'user' : 'admin',
    roleName: '',
    granted: isAttendant ? OF_USERS : OF_ADMINS,
    pages: isAttendant ? ['contacts'] : PAGES_OF_ADMINS,
    id: 7,
    name: 'Camila Duarte',
    email: 'camila@acme.test',
    profile: 'admin',
    super: false,
    companyId: 2,
    whatsappId: null,
    tokenVersion: 3,
    opensNext: true,
    permissions: ['drawer-admin-items:view', 'tickets-manager:showall'],
    queues: [],
    online: true,
    createdAt: '2026-01-01T12:00:00Z',
    updatedAt: '2026-01-01T12:00:00Z',
    company: {
      id: 2,
      name: 'Acme',
      email: '',
      phone: '',
      planId: 1,
      status: true,
      dueDate: '2030-12-14',
      trialExpiresOn: null,
      trialExpiration: '2030-12-14',
      recurrence: 'MENSAL',
      createdAt: '2026-01-01T12:00:00Z',
      updatedAt: '2026-01-01T12:00:00Z',
      settings: [],
      plan: {
        id: 1,
        name: 'Plano',
        users: 0,
        connections: 0,
        queues: 0,
        campaigns: 0,
        schedules: 0,
        value: 0,
        useCampaigns: true,
        useSchedules: true,
        useInternalChat: true,
        useExternalApi: true,
        useKanban: true,
        useOpenAi: true,
        useIntegrations: true,
        isPublic: true,
      },
    },
    ...changes,
  };
}
