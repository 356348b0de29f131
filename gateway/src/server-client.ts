import { setTimeout as delay } from 'node:timers/promises';
import { toJson } from './json.js';
import { signedHeaders } from './signing.js';

const FIRST_WAIT_SECONDS = 0.25;
const LONGEST_WAIT_SECONDS = 10;
const CALL_TIMEOUT_MS = 20_000;

/** The server answered with an error; 4xx are final, others are retried. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }

  /** Whether the caller no longer owns the session (docs/gateway.md §1). */
  get isLost(): boolean {
    return this.status === 409 || this.status === 410;
  }

  /** Whether the server refuses the body of the call, whoever sends it. */
  get isOfBody(): boolean {
    return this.status === 400 || this.status === 413;
  }

  /** Whether the same call would be refused again. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429 && this.status !== 408;
  }
}

/** Full-jitter back-off: the seconds to wait before retry `attempt`, counted from 0. */
export function backOff(attempt: number, first: number, longest: number): number {
  return Math.random() * Math.min(longest, first * 2 ** attempt);
}

/** Calls the server's side of the contract, signed. */
export class ServerClient {
  constructor(
    private readonly baseUrl: string,
    private readonly secret: string,
  ) {}

  /** Makes one attempt of a call; throws `ServerError` or the network's error. */
  async call<T>(path: string, body: unknown, timeoutMs = CALL_TIMEOUT_MS): Promise<T> {
    const text = toJson(body);
    const response = await this.fetch('POST', path, text, timeoutMs);
    if (!response.ok) throw new ServerError(response.status, await codeOf(response));
    return (await response.json()) as T;
  }

  /**
   * Makes a call and retries it until it is answered, refused or aborted by `signal`.
   *
   * `onFault` is called for each attempt that the server answered with an error, not for missing
   * answers.
   */
  async callUntilAnswered<T>(
    path: string,
    body: unknown,
    signal: AbortSignal,
    onFault: (status: number) => void,
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.call<T>(path, body);
      } catch (error) {
        if (error instanceof ServerError && error.isFinal) throw error;
        if (error instanceof ServerError) onFault(error.status);
      }
      const seconds = backOff(attempt, FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
      await delay(seconds * 1000, undefined, { signal });
    }
  }

  /** Opens a stored file as a stream; `url` must be on the server itself. */
  async openFile(url: string): Promise<ReadableStream<Uint8Array>> {
    const target = new URL(url, this.baseUrl);
    if (target.origin !== new URL(this.baseUrl).origin) throw new ServerError(400, 'ERR_FILE_URL');
    const response = await this.fetch('GET', target.pathname + target.search, '', 60_000);
    if (!response.ok || !response.body) {
      throw new ServerError(response.status, await codeOf(response));
    }
    return response.body as ReadableStream<Uint8Array>;
  }

  private async fetch(
    method: string,
    path: string,
    body: string,
    timeoutMs: number,
  ): Promise<Response> {
    const url = new URL(path, this.baseUrl);
    const headers = signedHeaders(this.secret, method, url.pathname + url.search, body);
    return fetch(url, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
      body: method === 'GET' ? null : body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}

async function codeOf(response: Response): Promise<string> {
  try {
    const { code } = (await response.json()) as { code?: unknown };
    return typeof code === 'string' ? code : `HTTP ${response.status}`;
  } catch {
    return `HTTP ${response.status}`;
  }
}
