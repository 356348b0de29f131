/** The session's shapes, as /auth/login, /auth/refresh_token and /auth/me answer them. */

export interface Plan {
  id: number;
  name: string;
  users: number;
  connections: number;
  queues: number;
  useCampaigns: boolean;
  useSchedules: boolean;
  useInternalChat: boolean;
  useExternalApi: boolean;
  useKanban: boolean;
  useOpenAi: boolean;
  useIntegrations: boolean;
}

export interface SessionUser {
  id: number;
  name: string;
  email: string;
  profile: string;
  super: boolean;
  companyId: number;
  whatsappId: number | null;
  tokenVersion: number;
  /** 'area:action' entries of the server's permission table. */
  permissions: string[];
  queues: { id: number; name: string; color: string }[];
  company: {
    id: number;
    name: string;
    /** A calendar day, possibly written as a timestamp. */
    dueDate: string | null;
    settings: { key: string; value: string }[];
    plan: Plan | null;
  };
}

export interface SessionAnswer {
  token: string;
  user: SessionUser;
}
