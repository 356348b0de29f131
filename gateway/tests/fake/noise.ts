import { decodeBinaryNode, encodeBinaryNode } from 'baileys';
import type { BinaryNode } from 'baileys';
import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  hkdf,
  NOISE_MODE,
  NOISE_WA_HEADER,
  sha256,
  type KeyPair,
} from '../../node_modules/@openclaw/crabline/dist/src/servers/whatsapp-wire/crypto.js';
import {
  decodeHandshakeMessage,
  encodeHandshakeMessage,
} from '../../node_modules/@openclaw/crabline/dist/src/servers/whatsapp-wire/handshake.js';

/** A chain that WhatsApp itself signed, as in @openclaw/crabline (MIT): clients check no more of it. */
const CERTIFICATES = Buffer.from(
  'CncKMwjjAhADGiCRKg7Kg1iu4CSulwLBaxX51Tefw6VXGgZqcr5OEbXIRiDQ04bOBijQjZ/TBhJA34Bj82jAHhLpCWBNVBlGnFDieamd8+138S57uMt9ke9mrn5r4+VepwBPKEgHjob6bR70rlCmWDkxZv+CfVjIAxJ2CjIIAxAAGiAcUamsMDmUxsjQuS6hh4pTNHZZnMWZ++o1mX2aqQzOYiCAka6+Bij/3rfcBhJAJw8pRkhTn+1IcOJQVN1OlZg6uikYnCumyO7acFVVX3U3QPXsGSq2TCbCbWrebSC593Su43EgprIDlfU8ZgWFBw==',
  'base64',
);
const EMPTY = Buffer.alloc(0);

function iv(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}

function framed(data: Uint8Array): Buffer {
  const head = Buffer.from([data.length >> 16, (data.length >> 8) & 255, data.length & 255]);
  return Buffer.concat([head, data]);
}

/** WhatsApp's side of the Noise handshake (XX, 25519, AES-GCM, SHA-256) and of its frames. */
export class NoiseServer {
  /** The client's long-lived key, once it said it. */
  clientKey: Buffer = EMPTY;
  private hash: Buffer = Buffer.from(NOISE_MODE);
  private salt: Buffer = this.hash;
  private key: Buffer = this.hash;
  private counter = 0;
  private ephemeral: KeyPair | null = null;
  private transport: { write: Buffer; read: Buffer; writes: number; reads: number } | null = null;
  private received: Buffer = EMPTY;
  private intro = true;

  constructor() {
    this.mixHash(NOISE_WA_HEADER);
  }

  /** Whole frames out of what came. */
  frames(data: Buffer): Buffer[] {
    let rest = data;
    if (this.intro) {
      this.intro = false;
      if (rest.subarray(0, 2).toString() === 'ED') rest = rest.subarray(7 + rest.readUInt16BE(5));
      rest = rest.subarray(NOISE_WA_HEADER.length);
    }
    this.received = Buffer.concat([this.received, rest]);
    const found: Buffer[] = [];
    while (this.received.length >= 3) {
      const size = this.received.readUIntBE(0, 3);
      if (this.received.length < size + 3) break;
      found.push(this.received.subarray(3, size + 3));
      this.received = this.received.subarray(size + 3);
    }
    return found;
  }

  /** The answer to the client's first frame. */
  hello(frame: Buffer): Buffer {
    const theirs = decodeHandshakeMessage(frame).clientHello?.ephemeral;
    if (!theirs) throw new Error('No client hello.');
    this.mixHash(theirs);
    this.ephemeral = Curve.generateKeyPair();
    const lasting = Curve.generateKeyPair();
    this.mixHash(this.ephemeral.public);
    this.mixKey(Curve.sharedKey(this.ephemeral.private, theirs));
    const staticKey = this.encrypt(lasting.public);
    this.mixKey(Curve.sharedKey(lasting.private, theirs));
    const payload = this.encrypt(CERTIFICATES);
    const serverHello = { ephemeral: this.ephemeral.public, staticKey, payload };
    return framed(encodeHandshakeMessage({ serverHello }));
  }

  /** What the client says of itself in the last frame of the handshake. */
  finish(frame: Buffer): Buffer {
    const said = decodeHandshakeMessage(frame).clientFinish;
    if (!said?.staticKey || !said.payload || !this.ephemeral) throw new Error('No client finish.');
    this.clientKey = this.decrypt(said.staticKey);
    this.mixKey(Curve.sharedKey(this.ephemeral.private, this.clientKey));
    const payload = this.decrypt(said.payload);
    const [read, write] = this.derive(EMPTY);
    this.transport = { read, write, reads: 0, writes: 0 };
    return payload;
  }

  async decode(frame: Buffer): Promise<BinaryNode> {
    if (!this.transport) throw new Error('The handshake is not done.');
    const { read } = this.transport;
    return decodeBinaryNode(aesDecryptGCM(frame, read, iv(this.transport.reads++), EMPTY));
  }

  encode(node: BinaryNode): Buffer {
    if (!this.transport) throw new Error('The handshake is not done.');
    const { write } = this.transport;
    const bytes = encodeBinaryNode(node);
    return framed(aesEncryptGCM(bytes, write, iv(this.transport.writes++), EMPTY));
  }

  private mixHash(data: Uint8Array): void {
    this.hash = sha256(Buffer.concat([this.hash, data]));
  }

  private derive(data: Uint8Array): [Buffer, Buffer] {
    const bytes = hkdf(data, 64, { info: '', salt: this.salt });
    return [bytes.subarray(0, 32), bytes.subarray(32)];
  }

  private mixKey(data: Uint8Array): void {
    [this.salt, this.key] = this.derive(data);
    this.counter = 0;
  }

  private encrypt(data: Uint8Array): Buffer {
    const bytes = aesEncryptGCM(data, this.key, iv(this.counter++), this.hash);
    this.mixHash(bytes);
    return bytes;
  }

  private decrypt(data: Uint8Array): Buffer {
    const bytes = aesDecryptGCM(data, this.key, iv(this.counter++), this.hash);
    this.mixHash(data);
    return bytes;
  }
}
