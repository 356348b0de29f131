import { USyncQuery, USyncUser } from 'baileys';
import type { AnyMessageContent, WASocket } from 'baileys';
import type { Readable } from 'node:stream';
import type { Config } from './config.js';
import { address, person, plain } from './jids.js';
import { mediaContent, openMedia } from './media.js';
import { fetchPicture, pictureAddress } from './pictures.js';
import type { Given } from './refusals.js';
import { Refusal } from './refusals.js';
import { messageKey, send } from './sending.js';
import type { ServerClient } from './server-client.js';
import type { Session } from './session.js';

const MOST_NUMBERS = 50;

/** The answer of a command: JSON, or a file. */
export type Answer =
  { json: Record<string, unknown> } | { file: Readable; mime: string; name: string };

/** Executes the commands of docs/gateway.md §5. */
export class Commands {
  constructor(
    private readonly config: Config,
    private readonly server: ServerClient,
  ) {}

  async run(command: string, session: Session, given: Given): Promise<Answer> {
    switch (command) {
      case 'qr':
        session.renewCodes();
        return { json: {} };
      case 'link':
        return this.link(session, given);
      case 'logout':
        if (await session.logout()) return { json: {} };
        throw new Refusal(503, 'ERR_NOT_LOGGED_OUT', 'The phone could not be told.');
      case 'download':
        return this.download(given);
      default:
        return { json: await this.runOpen(command, session, given) };
    }
  }

  private async runOpen(
    command: string,
    session: Session,
    given: Given,
  ): Promise<Record<string, unknown>> {
    const socket = session.open;
    if (!socket) throw new Refusal(503, 'ERR_SESSION_NOT_OPEN', 'The session is not open.');
    switch (command) {
      case 'read':
        await socket.readMessages(
          await Promise.all(given.parts('messages').map((key) => messageKey(session, key))),
        );
        return {};
      case 'reject-call':
        await socket.rejectCall(given.text('callId'), address(given.text('from')));
        return {};
      case 'check':
        return { numbers: await check(socket, given.texts('numbers').slice(0, MOST_NUMBERS)) };
      case 'picture': {
        const url = await pictureAddress(socket, address(given.text('of')));
        return fetchPicture(url, given.optionalText('known'), this.config.mediaUrl);
      }
      default: {
        const content = await this.content(command, session, given);
        const { mediaUrl } = this.config;
        const externalId = await send(session, socket, given, content, mediaUrl);
        return { externalId };
      }
    }
  }

  private async content(
    command: string,
    session: Session,
    given: Given,
  ): Promise<AnyMessageContent> {
    switch (command) {
      case 'text':
        return { text: given.text('body'), linkPreview: null };
      case 'media':
        return mediaContent(this.server, given);
      case 'location':
        return {
          location: {
            degreesLatitude: given.number('latitude') ?? 0,
            degreesLongitude: given.number('longitude') ?? 0,
            name: given.optionalText('name'),
            address: given.optionalText('address'),
          },
        };
      case 'contact':
        return contactCards(given);
      case 'react':
        return { react: { text: given.optionalText('emoji'), key: await target(session, given) } };
      case 'edit':
        return { text: given.text('body'), edit: await target(session, given), linkPreview: null };
      case 'delete':
        return { delete: await target(session, given) };
      default:
        throw new Refusal(404, 'ERR_NO_COMMAND', 'There is no such command.', { permanent: true });
    }
  }

  private async link(session: Session, given: Given): Promise<Answer> {
    try {
      return { json: { pairingCode: await session.pairingCode(given.text('number')) } };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal(503, 'ERR_SESSION_NOT_OPEN', 'The session offers no code now.');
    }
  }

  private async download(given: Given): Promise<Answer> {
    const reference = given.part('reference');
    if (!reference) throw new Refusal(400, 'ERR_BAD_COMMAND', 'reference is missing.');
    return {
      file: await openMedia(reference, this.config.mediaUrl),
      mime: reference.optionalText('mime') || 'application/octet-stream',
      name: reference.optionalText('name'),
    };
  }
}

async function target(session: Session, given: Given) {
  const part = given.part('message');
  if (!part) throw new Refusal(400, 'ERR_BAD_COMMAND', 'message is missing.', { permanent: true });
  return messageKey(session, part);
}

function contactCards(given: Given): AnyMessageContent {
  const contacts = given.parts('cards').map((card) => {
    const name = card.text('name');
    const phones = card.parts('phones').map((phone) => {
      const digits = phone.optionalText('wa_id').replace(/\D/g, '');
      const type = phone.optionalText('type') || 'CELL';
      return `TEL;type=${type}${digits ? `;waid=${digits}` : ''}:${phone.text('phone')}`;
    });
    const lines = ['BEGIN:VCARD', 'VERSION:3.0', `N:;${name};;;`, `FN:${name}`, ...phones];
    return { displayName: name, vcard: [...lines, 'END:VCARD'].join('\n') };
  });
  return { contacts: { displayName: contacts[0]?.displayName ?? '', contacts } };
}

/** Checks which of the numbers are on WhatsApp, and under which identity. */
async function check(socket: WASocket, numbers: string[]) {
  const query = new USyncQuery().withContactProtocol().withLIDProtocol();
  for (const number of numbers) query.withUser(new USyncUser().withPhone(`+${number}`));
  const found = (await socket.executeUSyncQuery(query))?.list ?? [];
  return numbers.map((number, index) => {
    // WhatsApp answers in the order of the request, with the number as it knows it.
    const entry = found.find(({ id }) => person(id).number === number) ?? found[index];
    const exists = entry?.contact === true;
    return {
      number,
      exists,
      jid: exists ? plain(entry.id) : '',
      lid: exists && typeof entry.lid === 'string' ? plain(entry.lid) : '',
    };
  });
}
