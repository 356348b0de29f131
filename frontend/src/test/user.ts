import type { SessionUser } from '@/lib/api/types';

/** A signed-in admin of company 2; give what differs. */
export function makeUser(changes: Partial<SessionUser> = {}): SessionUser {
  return {
    id: 7,
    name: 'Camila Duarte',
    email: 'camila@acme.test',
    profile: 'admin',
    super: false,
    companyId: 2,
    whatsappId: null,
    tokenVersion: 3,
    permissions: ['drawer-admin-items:view', 'tickets-manager:showall'],
    queues: [],
    company: {
      id: 2,
      name: 'Acme',
      dueDate: '2030-12-14',
      settings: [],
      plan: {
        id: 1,
        name: 'Plano',
        users: 0,
        connections: 0,
        queues: 0,
        useCampaigns: true,
        useSchedules: true,
        useInternalChat: true,
        useExternalApi: true,
        useKanban: true,
        useOpenAi: true,
        useIntegrations: true,
      },
    },
    ...changes,
  };
}
