// Starts serve.ts with what the tests are built by.
import { runnerImport } from 'vite';

await runnerImport('tests/fake/serve.ts', { logLevel: 'error' });
