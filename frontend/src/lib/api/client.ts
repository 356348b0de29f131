import { closeSession, openSession, useSession } from '@/stores/session';
import { i18n } from '@/i18n';
import { errorMessage, overdueWords } from '@/lib/toast';
import { ApiError, errorFromBody, isOverdue, networkError } from './errors';
import type { SessionAnswer } from './types';

const BASE = import.meta.env.VITE_API_URL ?? '/api';

type Query = Record<string, string | number | boolean | null | undefined>;

interface Options {
  query?: Query;
  signal?: AbortSignal;
  /** The request outlives the page. */
  keepalive?: boolean;
  /** Sends no token; a 401 is the answer to the call itself (login), not an expired session. */
  anonymous?: boolean;
}

/** The address of a call; empty query values are left out. */
export function apiUrl(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return `${BASE}${path}${text ? `?${text}` : ''}`;
}

/** Signs out if the server has ended the session; the login page shows the reason. */
function followEnd(error: unknown) {
  if (!(error instanceof ApiError)) return;
  if (error.status === 401) closeSession(errorMessage(error));
  // A token refresh returns the restricted session that an overdue company's users still get.
  else if (isOverdue(error) && useSession.getState().overdueSince === null)
    refreshSession().catch(() => undefined);
}

/**
 * Opens the session that the refused sign-in of an overdue company's admin carries: it allows
 * nothing but paying. Returns whether there was one.
 */
export function openToPay(error: unknown): boolean {
  if (!isOverdue(error) || !error.body.token || !error.body.user) return false;
  openSession(error.body as unknown as SessionAnswer, true);
  return true;
}

const RENEWED_MS = 1000;

/**
 * Requests a new token; repeats the request once if another answer with a new cookie is still on
 * its way.
 */
async function renew(): Promise<SessionAnswer> {
  const ask = () => send('POST', '/auth/refresh_token', undefined, { anonymous: true });
  try {
    return (await ask()) as SessionAnswer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'ERR_SESSION_RENEWED') throw error;
    await new Promise((resolve) => setTimeout(resolve, RENEWED_MS));
    return (await ask()) as SessionAnswer;
  }
}

let refreshing: Promise<void> | null = null;

/** Renews the access token with the refresh cookie; parallel callers share one call. */
export function refreshSession(): Promise<void> {
  refreshing ??= renew()
    .then((answer) => openSession(answer))
    .catch((error: unknown) => {
      if (openToPay(error)) return;
      if (isOverdue(error)) closeSession(overdueWords(error));
      else followEnd(error);
      throw error;
    })
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

const isExpired = (error: unknown) =>
  error instanceof ApiError && error.status === 403 && error.code === 'ERR_SESSION_EXPIRED';

/** Runs a call; an expired token is renewed once and the call repeated once, a 401 logs out. */
async function withSession<T>(call: () => Promise<T>): Promise<T> {
  try {
    try {
      return await call();
    } catch (error) {
      if (!isExpired(error)) throw error;
      await refreshSession();
      return await call();
    }
  } catch (error) {
    followEnd(error);
    throw error;
  }
}

function parse(text: string): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function send(method: string, path: string, body: unknown, options: Options) {
  const headers: Record<string, string> = { 'Accept-Language': i18n.language };
  const { token } = useSession.getState();
  if (token && !options.anonymous) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const request: RequestInit = { method, headers, credentials: 'include' };
  if (body !== undefined) request.body = JSON.stringify(body);
  if (options.signal) request.signal = options.signal;
  if (options.keepalive) request.keepalive = true;
  let response: Response;
  let text: string;
  try {
    response = await fetch(apiUrl(path, options.query), request);
    text = await response.text();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw networkError();
  }
  if (!response.ok) throw errorFromBody(response.status, text);
  return parse(text);
}

function request<T>(method: string, path: string, body: unknown, options: Options): Promise<T> {
  const call = () => send(method, path, body, options) as Promise<T>;
  return options.anonymous ? call() : withSession(call);
}

interface UploadOptions {
  method?: 'POST' | 'PUT';
  /** Called with the share that has left the browser, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

function sendForm(path: string, form: FormData, options: UploadOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // fetch cannot tell how much of a body has been sent; XMLHttpRequest can.
    const xhr = new XMLHttpRequest();
    xhr.open(options.method ?? 'POST', apiUrl(path));
    xhr.withCredentials = true;
    const { token } = useSession.getState();
    if (token) xhr.setRequestHeader('Authorization', `Bearer ${token}`);
    xhr.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    xhr.onload = () => {
      if (xhr.status < 400) resolve(parse(xhr.responseText));
      else reject(errorFromBody(xhr.status, xhr.responseText));
    };
    xhr.onerror = () => reject(networkError());
    xhr.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
    options.signal?.addEventListener('abort', () => xhr.abort());
    xhr.send(form);
  });
}

/** Fetches a file that the server makes; the browser keeps a large one on its disk. */
async function fetchFile(path: string, query: Query | undefined): Promise<Blob> {
  const { token } = useSession.getState();
  try {
    const response = await fetch(apiUrl(path, query), {
      headers: {
        'Accept-Language': i18n.language,
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      credentials: 'include',
    });
    if (response.ok) return await response.blob();
    throw errorFromBody(response.status, await response.text());
  } catch (error) {
    // An interrupted download is a failure too: half a file is useless.
    throw error instanceof ApiError ? error : networkError();
  }
}

/** The server's REST calls. Every failure is an `ApiError`. */
export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    request<T>('GET', path, undefined, { query, signal }),
  post: <T>(path: string, body?: unknown, options: Options = {}) =>
    request<T>('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options: Options = {}) =>
    request<T>('PUT', path, body, options),
  delete: <T>(path: string, options: Options = {}, body?: unknown) =>
    request<T>('DELETE', path, body, options),
  file: (path: string, query?: Query) => withSession(() => fetchFile(path, query)),
  upload: <T>(path: string, form: FormData, options: UploadOptions = {}) =>
    withSession(() => sendForm(path, form, options) as Promise<T>),
};

/** The expiry of the access token, in milliseconds since 1970; 0 if it cannot be read. */
function tokenExpiry(token: string): number {
  return tokenClaim(token, 'exp') * 1000;
}

/** Returns a numeric claim of a token; 0 if there is none. */
export function tokenClaim(token: string, name: string): number {
  try {
    const body = token.split('.')[1] ?? '';
    const claims = JSON.parse(atob(body.replace(/-/g, '+').replace(/_/g, '/'))) as Record<
      string,
      unknown
    >;
    return typeof claims[name] === 'number' ? claims[name] : 0;
  } catch {
    return 0;
  }
}

/**
 * Returns a token that is valid for at least half a minute, renewed if necessary; the socket
 * connects with it.
 */
export async function freshToken(): Promise<string> {
  const token = useSession.getState().token;
  if (!token || tokenExpiry(token) < Date.now() + 30_000) await refreshSession();
  return useSession.getState().token ?? '';
}
