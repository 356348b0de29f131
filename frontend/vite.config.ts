import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:8000';

/** The application and, where its sources are there, the simulator's phone page. */
const pages = ['index.html', 'simulator.html'].filter((page) =>
  existsSync(resolve(import.meta.dirname, page)),
);

export default defineConfig({
  base: '/static/app/',
  plugins: [react()],
  resolve: { alias: { '@': resolve(import.meta.dirname, 'src') } },
  build: {
    manifest: true,
    target: 'es2022',
    rollupOptions: { input: pages.map((page) => resolve(import.meta.dirname, page)) },
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
  },
});
