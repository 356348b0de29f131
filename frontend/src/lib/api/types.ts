import type { components } from './schema';

type Schemas = components['schemas'];

/** The session's shapes, as /auth/login, /auth/refresh_token and /auth/me answer them. */
export type Plan = Schemas['Plan'];
export type SessionUser = Schemas['SessionUser'];
export type SessionAnswer = Schemas['Session'];

/** What the server tells under each name of a live event. */
export type LiveEvents = Schemas['LiveEvents'];
export type LiveEvent<Name extends keyof LiveEvents> = LiveEvents[Name];
