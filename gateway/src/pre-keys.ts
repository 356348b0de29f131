import { Curve } from 'baileys';
import type { AuthenticationCreds } from 'baileys';
import type { KeyStore } from './key-store.js';

const SPARE = 20;

/**
 * Keep some pre-keys that are stored and that nobody has.
 *
 * Baileys puts one into a retry receipt, and without a spare one it makes it there and stores it
 * only after the receipt was sent: a message that uses it could not be decrypted after a crash.
 */
export function keepSpare(credentials: AuthenticationCreds, keys: KeyStore): void {
  const { nextPreKeyId: next, firstUnuploadedPreKeyId: first } = credentials;
  const missing = first + SPARE - next;
  if (missing < SPARE / 2) return;
  const made = Array.from({ length: missing }, (_, n) => [next + n, Curve.generateKeyPair()]);
  keys.set({
    'pre-key': Object.fromEntries(made) as Record<string, ReturnType<typeof Curve.generateKeyPair>>,
  });
  credentials.nextPreKeyId = next + missing;
}
