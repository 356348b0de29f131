/** How a receiver checks a signature, in its own language (docs/webhooks.md). */
export const SNIPPETS = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the bytes as received, before any JSON.parse
function isFromBalcao(body, headers, secret) {
  const time = headers['x-balcao-timestamp'];
  const expected = 'sha256=' +
    createHmac('sha256', secret).update(time + '.').update(body).digest('hex');
  const given = headers['x-balcao-signature'] ?? '';
  return Math.abs(Date.now() / 1000 - Number(time)) < 300 &&
    given.length === expected.length &&
    timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}`,
  python: `import hashlib, hmac, time

def is_from_balcao(body: bytes, headers, secret: str) -> bool:
    stamp = headers["X-Balcao-Timestamp"]
    signed = stamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(
        secret.encode(), signed, hashlib.sha256
    ).hexdigest()
    fresh = abs(time.time() - int(stamp)) < 300
    return fresh and hmac.compare_digest(
        expected, headers["X-Balcao-Signature"]
    )`,
  php: `<?php
$body = file_get_contents('php://input');
$time = $_SERVER['HTTP_X_BALCAO_TIMESTAMP'];
$expected = 'sha256=' . hash_hmac('sha256', $time . '.' . $body, $secret);
$isFromBalcao = abs(time() - (int) $time) < 300
    && hash_equals($expected, $_SERVER['HTTP_X_BALCAO_SIGNATURE']);`,
} as const;

export type SnippetLanguage = keyof typeof SNIPPETS;
