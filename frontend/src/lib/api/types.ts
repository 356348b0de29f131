import type { components } from './schema';

type Schemas = components['schemas'];

/** The session's shapes, as /auth/login, /auth/refresh_token and /auth/me answer them. */
export type Plan = Schemas['Plan'];
export type SessionUser = Schemas['SessionUser'];
export type SessionAnswer = Schemas['Session'];

/** The payload of each live event, by the event's name. */
export type LiveEvents = Schemas['LiveEvents'];
export type LiveEvent<Name extends keyof LiveEvents> = LiveEvents[Name];
