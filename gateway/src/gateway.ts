import type { Config } from './config.js';
import { HttpServer } from './http-server.js';
import { Leases } from './leases.js';
import { log } from './logging.js';
import { ServerClient } from './server-client.js';

/** The whole program: sessions, leases and the command server. */
export class Gateway {
  private readonly leases: Leases;
  private readonly http: HttpServer;

  constructor(private readonly config: Config) {
    const server = new ServerClient(config.serverUrl, config.secret);
    this.leases = new Leases(config, server, () => this.address);
    this.http = new HttpServer(config, this.leases, async () => {
      const { Commands } = await import('./commands.js');
      return new Commands(config, server);
    });
  }

  get address(): string {
    return this.http.address;
  }

  async start(): Promise<void> {
    await this.http.listen();
    log('gateway started', { gateway: this.config.name, address: this.address });
    this.leases.start();
  }

  /** Stop in order: sessions are stored, closed and released for other processes. */
  async stop(): Promise<void> {
    this.http.close();
    await this.leases.leave();
    log('gateway stopped', { gateway: this.config.name });
  }
}
