import type { BinaryNode } from 'baileys';
import type { WebSocket } from 'ws';
import { NoiseServer } from './noise.js';
import type { Device } from './device.js';

type State = 'hello' | 'finish' | 'open';

/** One web socket of a client, seen from WhatsApp. */
export class FakeConnection {
  device: Device | null = null;
  /** Hears nothing more, as when the network stands still. */
  isDeaf = false;
  /** Frames that came. */
  heard = 0;
  private readonly noise = new NoiseServer();
  private state: State = 'hello';
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: WebSocket,
    private readonly onLogin: (connection: FakeConnection, payload: Buffer) => Promise<void>,
    private readonly onNode: (connection: FakeConnection, node: BinaryNode) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {
    socket.on('message', (data: Buffer) => {
      this.work = this.work.then(() => this.read(data)).catch(this.onError);
    });
    socket.on('close', () => {
      if (this.device?.connection === this) this.device.connection = null;
    });
  }

  get isOpen(): boolean {
    return this.state === 'open' && this.socket.readyState === this.socket.OPEN;
  }

  get clientKey(): Buffer {
    return this.noise.clientKey;
  }

  async send(node: BinaryNode): Promise<void> {
    if (!this.isOpen) return;
    const bytes = this.noise.encode(node);
    await new Promise<void>((resolve) => this.socket.send(bytes, () => resolve()));
  }

  /** End with one of WhatsApp's stream errors. */
  async end(error: BinaryNode): Promise<void> {
    await this.send(error);
    this.socket.close();
  }

  cut(): void {
    this.socket.terminate();
  }

  private async read(data: Buffer): Promise<void> {
    if (this.isDeaf) return;
    for (const frame of this.noise.frames(data)) {
      this.heard += 1;
      if (this.state === 'hello') {
        this.socket.send(this.noise.hello(frame));
        this.state = 'finish';
      } else if (this.state === 'finish') {
        const payload = this.noise.finish(frame);
        this.state = 'open';
        await this.onLogin(this, payload);
      } else {
        await this.onNode(this, await this.noise.decode(frame));
      }
    }
  }
}
