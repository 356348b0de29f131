import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/build.ts'],
    setupFiles: ['tests/quiet.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each file has its own fake WhatsApp and its own processes; they wait more than they work.
    maxWorkers: 3,
  },
});
