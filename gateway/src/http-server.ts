import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Answer, Commands } from './commands.js';
import type { Config } from './config.js';
import { toJson } from './json.js';
import type { Leases } from './leases.js';
import { log, reasonOf } from './logging.js';
import { Given, Refusal } from './refusals.js';
import { ServerError } from './server-client.js';
import { Verifier } from './signing.js';

const MOST_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const COMMAND = /^\/sessions\/(\d{1,18})\/([a-z-]{1,20})$/;

/** The HTTP server for the commands. */
export class HttpServer {
  private readonly server: Server;
  private readonly verifier: Verifier;
  /** The URL that the server calls; known when this server listens. */
  address = '';

  constructor(
    private readonly config: Config,
    private readonly leases: Leases,
    private readonly commands: () => Promise<Commands>,
  ) {
    this.verifier = new Verifier(config.secret);
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.requestTimeout = REQUEST_TIMEOUT_MS;
    this.server.headersTimeout = REQUEST_TIMEOUT_MS;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.config.port, this.config.host, resolve);
    });
    const { port } = this.server.address() as AddressInfo;
    this.address = this.config.publicUrl || `http://${this.config.host}:${port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeIdleConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await deliver(response, await this.route(request));
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const refusal = error instanceof Refusal ? error : failed(error);
      write(response, refusal.status, refusal.body);
    }
  }

  private async route(request: IncomingMessage): Promise<Answer> {
    const target = request.url ?? '/';
    if (request.method === 'GET' && target === '/health') {
      return { json: { status: 'ok', sessions: this.leases.count } };
    }
    const body = await read(request);
    if (!this.verifier.accepts(request.method ?? '', target, request.headers, body)) {
      throw new Refusal(401, 'ERR_GATEWAY_SIGNATURE', 'The signature is wrong.');
    }
    if (request.method !== 'POST') throw new Refusal(405, 'ERR_METHOD', 'Only POST.');
    if (target === '/wake') {
      this.leases.wake();
      return { json: {} };
    }
    const [, id, command] = COMMAND.exec(target) ?? [];
    if (!id || !command) throw new Refusal(404, 'ERR_NO_COMMAND', 'There is no such command.');
    const given = parsed(body);
    const session = this.leases.find(Number(id), given.number('epoch') ?? -1);
    if (!session) throw new Refusal(409, 'ERR_STALE_EPOCH', 'The session is not here.');
    return (await this.commands()).run(command, session, given);
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) throw new Refusal(413, 'ERR_TOO_LARGE', 'The body is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parsed(body: Buffer): Given {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null) {
      return new Given(value as Record<string, unknown>);
    }
  } catch {
    // An invalid body is answered below.
  }
  throw new Refusal(400, 'ERR_BAD_COMMAND', 'The body is no JSON object.', { permanent: true });
}

/** The answer to an internal failure: it is unknown whether the command took effect. */
function failed(error: unknown): Refusal {
  log('command failed', { error: reasonOf(error) });
  // The server refused to supply the file to send: nothing was sent to WhatsApp.
  if (error instanceof ServerError && error.isFinal) {
    const more = { permanent: !error.isLost };
    return new Refusal(error.status, error.code, 'The server refused the file.', more);
  }
  const more = { outcomeUnknown: !(error instanceof ServerError) };
  return new Refusal(502, 'ERR_GATEWAY', 'The command failed at the gateway.', more);
}

function write(response: ServerResponse, status: number, body: unknown): void {
  const text = toJson(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function deliver(response: ServerResponse, answer: Answer): Promise<void> {
  if ('json' in answer) {
    write(response, 200, answer.json);
    return;
  }
  response.writeHead(200, {
    'Content-Type': answer.mime,
    'X-Media-Name': encodeURIComponent(answer.name),
  });
  await pipeline(answer.file, response);
}
