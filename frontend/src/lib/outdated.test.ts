import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { i18n } from '@/i18n';
import { watchVersion } from './outdated';
import { toaster } from './toast';

const answers = (body: string, status = 200) =>
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(new Response(body, { status })));

const shown = () => toaster.getVisibleToasts().map(({ title }) => title);

beforeEach(() => {
  const script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', '/assets/index-A1.js');
  document.head.append(script);
  watchVersion();
});

afterEach(() => {
  document.head.querySelector('script[src="/assets/index-A1.js"]')?.remove();
  i18n.off('failedLoading');
  toaster.remove();
  vi.unstubAllGlobals();
});

async function fail() {
  i18n.emit('failedLoading', 'pt', 'schedules');
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  await new Promise((done) => setTimeout(done, 0));
}

test('texts that fail while the server has another version offer to load the page anew', async () => {
  answers('<script type="module" src="/assets/index-B2.js"></script>');
  await fail();
  expect(shown()).toEqual(['Há uma versão nova do Balcão']);
  // Each further try fails as well; the notice appears once.
  await fail();
  expect(shown()).toHaveLength(1);
});

test.each([
  ['the same version', '<script type="module" src="/assets/index-A1.js"></script>', 200],
  ['a server that is not there', 'Bad gateway', 502],
])('%s offers nothing', async (_, body, status) => {
  answers(body, status);
  await fail();
  expect(shown()).toEqual([]);
});

test('without a connection nothing is offered', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')));
  await fail();
  expect(shown()).toEqual([]);
});
