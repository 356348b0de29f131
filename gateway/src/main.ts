import { readConfig } from './config.js';
import { Gateway } from './gateway.js';
import { log, reasonOf, silenceConsole } from './logging.js';

const LEAVING_TIMEOUT_MS = 10_000;

silenceConsole();

// A fault of one session must not affect the others: an unhandled rejection in Baileys ends at most
// its socket.
process.on('unhandledRejection', (error) => log('unhandled rejection', { error: reasonOf(error) }));
process.on('uncaughtException', (error) => {
  log('uncaught exception', { error: reasonOf(error) });
  process.exit(1);
});

async function main(): Promise<void> {
  const gateway = new Gateway(readConfig());
  let isLeaving = false;
  const leave = () => {
    if (isLeaving) return;
    isLeaving = true;
    setTimeout(() => process.exit(1), LEAVING_TIMEOUT_MS).unref();
    gateway.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log('ending failed', { error: reasonOf(error) });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
  await gateway.start();
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : 'unknown';
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
