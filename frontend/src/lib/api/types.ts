import type { components } from './schema';

type Schemas = components['schemas'];

/** The session's shapes, as /auth/login, /auth/refresh_token and /auth/me answer them. */
export type Plan = Schemas['Plan'];
export type SessionUser = Schemas['SessionUser'];
export type SessionAnswer = Schemas['Session'];
