import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const FURTHEST_SECONDS = 60;

/** Replaces the digest of a streamed body in the signed text. */
export const STREAM = Symbol('STREAM');

type Body = string | Uint8Array | typeof STREAM;

function digestOf(body: Body): string {
  return body === STREAM ? 'STREAM' : createHash('sha256').update(body).digest('hex');
}

function signature(
  secret: string,
  method: string,
  target: string,
  time: string,
  id: string,
  digest: string,
): string {
  const text = [method, target, time, id, digest].join('\n');
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

/** The signature headers of one call (docs/gateway.md §1); `target` as in the request line. */
export function signedHeaders(
  secret: string,
  method: string,
  target: string,
  body: Body,
): Record<string, string> {
  const time = Math.floor(Date.now() / 1000).toString();
  const id = randomUUID();
  const digest = digestOf(body);
  return {
    'X-Gateway-Time': time,
    'X-Gateway-Id': id,
    'X-Gateway-Body': digest,
    'X-Gateway-Signature': signature(secret, method, target, time, id, digest),
  };
}

/** Verifies the signatures of calls, and accepts each id once. */
export class Verifier {
  private readonly seen = new Map<string, number>();

  constructor(private readonly secret: string) {}

  /** Whether the call is signed with our secret, recent and not a replay. */
  accepts(method: string, target: string, headers: IncomingHttpHeaders, body: Body): boolean {
    const time = one(headers['x-gateway-time']);
    const id = one(headers['x-gateway-id']);
    const given = Buffer.from(one(headers['x-gateway-signature']));
    const right = Buffer.from(signature(this.secret, method, target, time, id, digestOf(body)));
    if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
    const now = Date.now() / 1000;
    if (!id || !(Math.abs(now - Number(time)) <= FURTHEST_SECONDS)) return false;
    this.forget(now);
    if (this.seen.has(id)) return false;
    this.seen.set(id, now + 2 * FURTHEST_SECONDS);
    return true;
  }

  private forget(now: number): void {
    for (const [id, until] of this.seen) {
      if (until > now) return;
      this.seen.delete(id);
    }
  }
}

function one(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
