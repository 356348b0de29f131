import { createHash } from 'node:crypto';
import { decryptPollVote } from 'baileys';
import { expect, test } from 'vitest';
import type { JsonObject } from '../src/contract.js';
import { pollWith, SECRET, voteOn } from './fake/polls.js';
import { linked, until } from './fake/world.js';

const OPTIONS = ['Pizza', 'Salada'];
const shop = linked();

async function told(id: string): Promise<JsonObject> {
  return until(() => shop.session.of('message').find(({ externalId }) => externalId === id));
}

/** What the server can read of a vote with what it was told: by Baileys, as a phone does. */
function opened(vote: JsonObject, secret: string): string[] {
  const { to, payload, iv, creators, voters } = vote as Record<string, string> & {
    creators: string[];
    voters: string[];
  };
  const bytes = (text = '') => Buffer.from(text, 'base64');
  for (const pollCreatorJid of creators) {
    for (const voterJid of voters) {
      try {
        const { selectedOptions } = decryptPollVote(
          { encPayload: bytes(payload), encIv: bytes(iv) },
          { pollCreatorJid, voterJid, pollMsgId: to ?? '', pollEncKey: bytes(secret) },
        );
        const chosen = selectedOptions.map((digest) => Buffer.from(digest).toString('hex'));
        return OPTIONS.filter((option) =>
          chosen.includes(createHash('sha256').update(option).digest('hex')),
        );
      } catch {
        // Of another pair of addresses.
      }
    }
  }
  throw new Error('Nobody can read this vote.');
}

test("a poll brings its votes' secret, and a vote what opens it", async () => {
  const { world, device } = shop;
  const { maria, whatsapp } = world;
  const id = await whatsapp.write(maria, device, pollWith('Almoço?', OPTIONS, 1));
  const { type, poll } = await told(id);
  expect(type).toBe('poll');
  expect(poll).toEqual({
    name: 'Almoço?',
    options: OPTIONS,
    selectable: 1,
    secret: SECRET.toString('base64'),
  });
  const key = { id, remoteJid: world.shop.jid, fromMe: true };
  const at = 1_790_000_000_123;
  const cast = await told(
    await whatsapp.write(maria, device, voteOn(key, maria.jid, maria.jid, ['Salada'], at)),
  );
  expect(cast).toMatchObject({ type: 'vote', body: '', fromMe: false, vote: { to: id, at } });
  expect(cast.chat).toMatchObject({ number: maria.number });
  expect(opened(cast.vote as JsonObject, (poll as JsonObject).secret as string)).toEqual([
    'Salada',
  ]);
});

test('a vote by somebody whose LID was used for it opens too, and one that is taken back', async () => {
  const { world, device } = shop;
  const { maria, whatsapp } = world;
  const id = await whatsapp.write(maria, device, pollWith('E hoje?', OPTIONS), { byLid: true });
  const { poll } = await told(id);
  const { secret } = poll as Record<string, string>;
  const key = { id, remoteJid: world.shop.lid, fromMe: true };
  for (const chosen of [['Pizza', 'Salada'], []]) {
    const vote = voteOn(key, maria.lid, maria.lid, chosen);
    const cast = await told(await whatsapp.write(maria, device, vote, { byLid: true }));
    expect(opened(cast.vote as JsonObject, secret ?? '')).toEqual(chosen);
  }
});

test("our phone's own poll is voted on from both sides", async () => {
  const { world, device } = shop;
  const { maria, shop: owner, whatsapp } = world;
  const message = pollWith('Folga?', OPTIONS);
  // The secret stands beside what the phone sent.
  const { messageContextInfo, ...inner } = message;
  const sent = {
    messageContextInfo,
    deviceSentMessage: { destinationJid: maria.jid, message: inner },
  };
  const attrs = { recipient: maria.jid };
  const id = await whatsapp.write(owner, device, sent, { attrs });
  const { poll, fromMe } = await told(id);
  expect(fromMe).toBe(true);
  const { secret } = poll as Record<string, string>;

  const theirs = { id, remoteJid: owner.jid, fromMe: false };
  const cast = await told(
    await whatsapp.write(maria, device, voteOn(theirs, owner.jid, maria.jid, ['Pizza'])),
  );
  expect(opened(cast.vote as JsonObject, secret ?? '')).toEqual(['Pizza']);

  const own = { id, remoteJid: maria.jid, fromMe: true };
  const byPhone = {
    deviceSentMessage: {
      destinationJid: maria.jid,
      message: voteOn(own, owner.jid, owner.jid, ['Salada']),
    },
  };
  const ours = await told(await whatsapp.write(owner, device, byPhone, { attrs }));
  expect(ours.fromMe).toBe(true);
  expect(opened(ours.vote as JsonObject, secret ?? '')).toEqual(['Salada']);
});

test("in a group the poll is its writer's, whoever votes", async () => {
  const { world, device } = shop;
  const { maria, whatsapp } = world;
  const group = '120363000000000009@g.us';
  const asked = await whatsapp.write(maria, device, pollWith('Quem vai?', OPTIONS), { group });
  await told(asked);
  const rita = whatsapp.person('5511966664444', 'Rita');
  const ofMaria = { id: asked, remoteJid: group, fromMe: false, participant: maria.jid };
  const vote = voteOn(ofMaria, maria.jid, rita.jid, ['Pizza']);
  const inGroup = await told(await whatsapp.write(rita, device, vote, { group }));
  expect(inGroup.sender).toMatchObject({ number: rita.number });
  expect(opened(inGroup.vote as JsonObject, SECRET.toString('base64'))).toEqual(['Pizza']);
});

test('a vote that says nothing is told to nobody', async () => {
  const { world, device, session } = shop;
  const { maria, whatsapp } = world;
  const before = session.of('message').length;
  const pollUpdateMessage = { pollCreationMessageKey: { id: 'NONE' } };
  await whatsapp.write(maria, device, { pollUpdateMessage });
  await told(await whatsapp.write(maria, device, { conversation: 'Depois' }));
  expect(session.of('message')).toHaveLength(before + 1);
});
