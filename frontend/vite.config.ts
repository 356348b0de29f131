import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { fewFiles } from './chunks.ts';

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:8000';

/** The application and, where its sources are there, the simulator's phone page. */
const pages = ['index.html', 'simulator.html'].filter((page) =>
  existsSync(resolve(import.meta.dirname, page)),
);

const tests = readdirSync(resolve(import.meta.dirname, 'src'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `src/${file}`);
/** They look at the sources alone, and `make check` runs them. */
const ofSources = tests.filter((file) => /^src\/(i18n|test\/readersOfTexts)\b/.test(file));
/** Those that put modules of their own in the place of others, and so share theirs with nobody. */
const mocking = tests.filter((file) =>
  readFileSync(resolve(import.meta.dirname, file), 'utf8').includes('vi.mock('),
);

export default defineConfig({
  base: '/static/app/',
  plugins: [react(), fewFiles(() => [react()])],
  resolve: { alias: { '@': resolve(import.meta.dirname, 'src') } },
  build: {
    manifest: true,
    target: 'es2022',
    // `base` is React, Chakra and the router; every page needs all of it.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: pages.map((page) => resolve(import.meta.dirname, page)),
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': backend,
      '/media': backend,
      '/simulator': backend,
      '/webhooks': backend,
      '/socket.io': { target: backend, ws: true },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    unstubGlobals: true,
    maxWorkers: 2,
    // A form under a busy machine; what hangs still fails.
    testTimeout: 30_000,
    // Chakra's modules take longer to read than most tests to run: two workers read them once.
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: tests,
          exclude: [...mocking, ...ofSources],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: mocking } },
      { extends: true, test: { name: 'sources', include: ofSources, isolate: false } },
    ],
  },
});
