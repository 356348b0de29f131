import { beforeEach, expect, test, vi } from 'vitest';
import {
  closeSession,
  leaveSignOutNotice,
  openSession,
  takeSignOutNotice,
  useSession,
} from '@/stores/session';
import { makeUser } from '@/test/user';
import { toast, toaster } from '@/lib/toast';
import { api, apiUrl, refreshSession } from './client';
import { ApiError } from './errors';

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const expired = () => json(403, { error: 'ERR_SESSION_EXPIRED', code: 'ERR_SESSION_EXPIRED' });

type Answer = (path: string, token: string | null) => Response;

/** Stubs the server with one function; returns the requested paths. */
function serve(answer: Answer): string[] {
  const paths: string[] = [];
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    paths.push(url);
    const token = new Headers(request.headers).get('Authorization');
    return Promise.resolve(answer(url, token));
  });
  return paths;
}

const renewing: Answer = (path, token) => {
  if (path === '/api/auth/refresh_token') return json(200, { token: 'new', user: makeUser() });
  return token === 'Bearer new' ? json(200, { path }) : expired();
};

beforeEach(() => openSession({ token: 'old', user: makeUser() }));

test('parallel calls with an expired token share one refresh and are each repeated once', async () => {
  const paths = serve(renewing);
  const answers = await Promise.all([api.get('/a'), api.get('/b'), api.post('/c', { x: 1 })]);
  expect(answers).toEqual([{ path: '/api/a' }, { path: '/api/b' }, { path: '/api/c' }]);
  expect(paths.filter((path) => path.endsWith('refresh_token'))).toHaveLength(1);
  expect(paths).toHaveLength(7);
  expect(useSession.getState().token).toBe('new');
});

test('a call refused after the refresh is not repeated again', async () => {
  const paths = serve((path) =>
    path.endsWith('refresh_token') ? json(200, { token: 'new', user: makeUser() }) : expired(),
  );
  await expect(api.get('/a')).rejects.toMatchObject({ status: 403 });
  expect(paths).toEqual(['/api/a', '/api/auth/refresh_token', '/api/a']);
});

test('another 403 is not a reason to refresh', async () => {
  const paths = serve(() => json(403, { code: 'ERR_NO_PERMISSION', error: 'ERR_NO_PERMISSION' }));
  await expect(api.get('/a')).rejects.toMatchObject({ code: 'ERR_NO_PERMISSION' });
  expect(paths).toEqual(['/api/a']);
  expect(useSession.getState().status).toBe('in');
});

test('a 401 clears the session', async () => {
  serve(() => json(401, { code: 'ERR_SESSION_EXPIRED' }));
  await expect(api.get('/a')).rejects.toBeInstanceOf(ApiError);
  expect(useSession.getState()).toMatchObject({ status: 'out', token: null, user: null });
  expect(localStorage.getItem('token')).toBeNull();
});

test.each([
  [401, { code: 'ERR_SESSION_EXPIRED' }, 'Sessão expirada. Entre novamente.'],
  [
    401,
    { code: 'ERR_SESSION_EXPIRED', reasonCode: 'ERR_SIGNED_IN_ELSEWHERE' },
    'Sua conta foi acessada em outro computador.',
  ],
  [401, { code: 'ERR_USER_DISABLED' }, /^Sua conta foi desativada\./],
  [401, { code: 'ERR_COMPANY_DISABLED' }, /^A sua empresa está desativada\./],
])('who is signed out by a %i reads why, once', async (status, body, sentence) => {
  serve(() => json(status, body));
  await expect(api.get('/a')).rejects.toMatchObject({ status });
  expect(useSession.getState().status).toBe('out');
  expect(takeSignOutNotice()).toMatch(sentence);
  expect(takeSignOutNotice()).toBeNull();
});

test('the first reason stays, and a new session has none', async () => {
  leaveSignOutNotice('Sua conta foi acessada em outro computador.');
  serve(() => json(401, { code: 'ERR_SESSION_EXPIRED' }));
  await expect(api.get('/a')).rejects.toBeInstanceOf(ApiError);
  expect(takeSignOutNotice()).toBe('Sua conta foi acessada em outro computador.');
  closeSession('Sessão expirada.');
  openSession({ token: 'new', user: makeUser() });
  expect(takeSignOutNotice()).toBeNull();
});

test('a refresh that was quicker than the new cookie comes again', async () => {
  vi.useFakeTimers();
  let refreshes = 0;
  serve((path, token) => {
    if (!path.endsWith('refresh_token') || (refreshes += 1) > 1) return renewing(path, token);
    return json(409, { code: 'ERR_SESSION_RENEWED' });
  });
  const answer = api.get('/a');
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  await expect(answer).resolves.toEqual({ path: '/api/a' });
  expect(refreshes).toBe(2);
  expect(useSession.getState()).toMatchObject({ status: 'in', token: 'new' });
});

test('a refused refresh logs out', async () => {
  serve((path) => (path.endsWith('refresh_token') ? json(401, {}) : expired()));
  await expect(api.get('/a')).rejects.toMatchObject({ status: 401 });
  expect(useSession.getState().status).toBe('out');
});

const OVERDUE = { code: 'ERR_COMPANY_EXPIRED', message: 'Sua assinatura venceu em 31/01/2026.' };

test('of an overdue company who cannot pay reads whom to ask, and once', async () => {
  const toasts = vi.spyOn(toaster, 'create');
  const paths = serve(() => json(402, OVERDUE));
  const calls = ['/a', '/b', '/c'].map((path) => api.get(path).catch(toast.error));
  await Promise.all(calls);
  await vi.waitFor(() => expect(useSession.getState().status).toBe('out'));
  expect(takeSignOutNotice()).toBe(
    'Opss! Sua assinatura venceu 31/01/2026. Entre em contato com o Suporte para mais informações!' +
      ' Peça a um administrador da sua empresa que pague a fatura.',
  );
  expect(paths.filter((path) => path.endsWith('refresh_token'))).toHaveLength(1);
  expect(toasts).not.toHaveBeenCalled();
});

test('an overdue company’s admin stays, to pay, and is whole again after it', async () => {
  const user = makeUser();
  user.company.dueDate = '2026-01-31';
  let isPaid = false;
  serve((path, token) => {
    if (path.endsWith('refresh_token'))
      return isPaid
        ? json(200, { token: 'whole', user })
        : json(402, { ...OVERDUE, token: 'paying', user });
    if (path.endsWith('/invoices/all')) return json(200, { token });
    return json(402, OVERDUE);
  });
  await expect(api.get('/a')).rejects.toMatchObject({ status: 402 });
  await vi.waitFor(() => expect(useSession.getState().overdueSince).toBe('2026-01-31'));
  await expect(api.get('/invoices/all')).resolves.toEqual({ token: 'Bearer paying' });
  // A call still in flight when the whole product fails must not change anything more.
  await expect(api.get('/b')).rejects.toMatchObject({ status: 402 });
  expect(useSession.getState()).toMatchObject({ status: 'in', token: 'paying' });
  isPaid = true;
  await refreshSession();
  expect(useSession.getState()).toMatchObject({ token: 'whole', overdueSince: null });
});

test('a refused login leaves the session alone and says why', async () => {
  serve(() => json(401, { error: 'ERR_INVALID_CREDENTIALS', code: 'ERR_INVALID_CREDENTIALS' }));
  await expect(api.post('/auth/login', {}, { anonymous: true })).rejects.toMatchObject({
    code: 'ERR_INVALID_CREDENTIALS',
  });
  expect(useSession.getState().status).toBe('in');
});

test('no answer at all is ERR_NETWORK and keeps the session', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(api.get('/a')).rejects.toMatchObject({ status: 0, code: 'ERR_NETWORK' });
  expect(useSession.getState().status).toBe('in');
});

test('field errors keep their fields', async () => {
  serve(() => json(400, { code: 'ERR_VALIDATION', fields: { name: ['Muito curto!'] } }));
  await expect(api.post('/users', {})).rejects.toMatchObject({
    fields: { name: ['Muito curto!'] },
  });
});

test('empty query values are left out', () => {
  expect(apiUrl('/tickets', { searchParam: '', pageNumber: 2, showAll: false, date: null })).toBe(
    '/api/tickets?pageNumber=2&showAll=false',
  );
});
