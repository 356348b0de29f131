/** Answers with the notice of `offline.html` when the server cannot be reached; keeps no page. */
const CACHE = 'offline-1';
const HOME = '/static/app/';
const NOTICE = `${HOME}offline.html`;
const FILES = [
  NOTICE,
  ...['offline.css', 'offline.js', 'theme.js', 'favicon.svg'].map((name) => HOME + name),
];
// What is no page of the application: addresses of programs, of the operator, and of files.
const OTHERS = /^\/(?:api|admin|webhooks|internal|health|metrics|media|static|simulator)(?:\/|$)/;
// What a proxy says of a server that is not there.
const UNREACHABLE = [502, 504];

async function keepNotice() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
  await self.skipWaiting();
}

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  // The browser asks for a page without waiting for this worker to wake.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function openPage(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (!UNREACHABLE.includes(answer.status)) return answer;
  } catch {
    // Nobody answered.
  }
  return (await caches.match(NOTICE)) ?? Response.error();
}

async function keptFile(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

self.addEventListener('install', (event) => event.waitUntil(keepNotice()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin || event.request.method !== 'GET') return;
  if (FILES.includes(pathname)) event.respondWith(keptFile(event.request));
  else if (event.request.mode === 'navigate' && !OTHERS.test(pathname))
    event.respondWith(openPage(event));
});
