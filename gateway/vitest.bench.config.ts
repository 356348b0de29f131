import { defineConfig } from 'vitest/config';

// Measurements, not tests: `npm run bench`, or `make bench` with the others.
export default defineConfig({
  test: {
    include: ['tests/bench/*.bench.ts'],
    globalSetup: ['tests/build.ts'],
    setupFiles: ['tests/quiet.ts'],
    testTimeout: 150_000,
    hookTimeout: 150_000,
    fileParallelism: false,
  },
});
