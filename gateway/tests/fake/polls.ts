import { createHash, createHmac, randomBytes } from 'node:crypto';
import { aesEncryptGCM, proto } from 'baileys';

/** The secret of every poll here: whoever got the poll can vote on it. */
export const SECRET = createHash('sha256').update('the secret of a poll').digest();

/** A poll as a phone makes it. */
export function pollWith(name: string, options: string[], selectable = 0): proto.IMessage {
  return {
    messageContextInfo: { messageSecret: SECRET },
    pollCreationMessageV3: {
      name,
      options: options.map((optionName) => ({ optionName })),
      selectableOptionsCount: selectable,
    },
  };
}

/** Somebody's vote, encrypted as their phone does it; none is chosen to take an earlier one back. */
export function voteOn(
  poll: proto.IMessageKey,
  creator: string,
  voter: string,
  chosen: string[],
  at = Date.now(),
): proto.IMessage {
  const id = poll.id ?? '';
  const selectedOptions = chosen.map((option) => createHash('sha256').update(option).digest());
  const vote = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish();
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(SECRET).digest();
  const info = Buffer.concat([Buffer.from(`${id}${creator}${voter}Poll Vote`), Buffer.from([1])]);
  const key = createHmac('sha256', extracted).update(info).digest();
  const encIv = randomBytes(12);
  const encPayload = aesEncryptGCM(vote, key, encIv, Buffer.from(`${id}\u0000${voter}`));
  return {
    pollUpdateMessage: {
      pollCreationMessageKey: poll,
      vote: { encPayload, encIv },
      senderTimestampMs: at,
    },
  };
}
