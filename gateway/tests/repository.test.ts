import { encodeWAMessage, initAuthCreds } from 'baileys';
import type { BinaryNode } from 'baileys';
import { expect, onTestFinished, test } from 'vitest';
import { CommitQueue } from '../src/commits.js';
import { KeyStore } from '../src/key-store.js';
import { silentLogger } from '../src/logging.js';
import { persistFirst } from '../src/repository.js';
import { ServerClient } from '../src/server-client.js';
import { FakeBalcao, SECRET } from './fake/balcao.js';
import { Person } from './fake/person.js';

const OURS = '5511900000001:1@s.whatsapp.net';

/** Our repository, and Maria, whose number and LID it knows. */
async function begun() {
  const balcao = new FakeBalcao();
  await balcao.start();
  onTestFinished(() => balcao.stop());
  balcao.session(7);
  const commits = new CommitQueue(new ServerClient(balcao.url, SECRET), 7, 0, () => undefined);
  const keys = new KeyStore(commits);
  const maria = new Person('5511988887777', 'Maria');
  const renewals = new Set<string>();
  const envelopes = {
    authorOf: () => '',
    holdUnreadable: () => undefined,
    changesOf: () => Promise.resolve({ keys: {}, events: [] }),
  };
  const make = persistFirst(keys, commits, envelopes, renewals);
  const repository = make({ creds: initAuthCreds(), keys }, silentLogger, () =>
    Promise.resolve([]),
  );
  await repository.lidMapping.storeLIDPNMappings([{ lid: maria.lid, pn: maria.jid }]);
  const { signedPreKey, signedIdentityKey, registrationId } = maria.creds;
  const bundle = {
    registrationId,
    identityKey: prefixed(signedIdentityKey.public),
    signedPreKey: {
      keyId: signedPreKey.keyId,
      publicKey: prefixed(signedPreKey.keyPair.public),
      signature: signedPreKey.signature,
    },
  };
  const encrypted = async (text: string): Promise<BinaryNode> => {
    const data = encodeWAMessage({ conversation: text });
    const { type, ciphertext } = await repository.encryptMessage({ jid: maria.jid, data });
    return { tag: 'enc', attrs: { type }, content: ciphertext };
  };
  const baseKey = async () =>
    Buffer.from((await repository.getSessionInfo(maria.jid))?.baseKey ?? []).toString('hex');
  return { repository, maria, bundle, renewals, encrypted, baseKey };
}

function prefixed(key: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([5]), key]);
}

test('encrypting for the number while the LID is decrypted loses no step of the ratchet', async () => {
  const { repository, maria, bundle, encrypted } = await begun();
  await repository.injectE2ESession({ jid: maria.lid, session: bundle });
  await maria.take('first', OURS, await encrypted('first'));
  const decrypted = async (text: string) => {
    const theirs = await maria.encrypt(OURS, { conversation: text }, () => bundle);
    const ciphertext = theirs.content as Uint8Array;
    const type = theirs.attrs.type as 'msg';
    await repository.decryptMessage({ jid: maria.lid, type, ciphertext });
  };
  await decrypted('first of theirs');
  // She has not read ours meanwhile, so both chains go on.
  const ours: BinaryNode[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const [one, , two] = await Promise.all([
      encrypted(`${turn} one`),
      decrypted(`${turn}`),
      encrypted(`${turn} two`),
    ]);
    ours.push(one, two);
  }
  for (const [n, enc] of ours.entries()) await maria.take(`${n}`, OURS, enc);
  expect(maria.inbox.size).toBe(21);
});

test('a session is replaced only for a device that asks for it or was set up anew', async () => {
  const { repository, maria, bundle, renewals, baseKey } = await begun();
  await repository.injectE2ESession({ jid: maria.lid, session: bundle });
  const first = await baseKey();
  await repository.injectE2ESession({ jid: maria.lid, session: bundle });
  await repository.injectE2ESession({ jid: maria.jid, session: bundle });
  expect(await baseKey()).toBe(first);
  renewals.add(maria.jid);
  await repository.injectE2ESession({ jid: maria.lid, session: bundle });
  const second = await baseKey();
  expect(second).not.toBe(first);
  await repository.injectE2ESession({ jid: maria.lid, session: bundle });
  expect(await baseKey()).toBe(second);
  const session = { ...bundle, registrationId: bundle.registrationId + 1 };
  await repository.injectE2ESession({ jid: maria.lid, session });
  expect(await baseKey()).not.toBe(second);
});
