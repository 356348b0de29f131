import { createHash } from 'node:crypto';
import { isLidUser, isPnUser } from 'baileys';
import type { BaileysEventMap, Contact, WAMessage } from 'baileys';
import type { CommitQueue } from './commits.js';
import type { GatewayEvent, NamedPerson, SessionSettings } from './contract.js';
import { contactsEvent } from './events.js';
import type { Messages } from './messages.js';

const MOST_CONTACTS = 500;
const MOST_REMEMBERED = 5_000;

/** Commits what comes in lists: messages of the past, the address book. */
export class History {
  private readonly told = new Set<string>();

  constructor(
    private readonly translated: Messages,
    private readonly commits: CommitQueue,
    private readonly settings: () => SessionSettings,
    private readonly factId: () => string,
  ) {}

  /** One chunk of the phone's history. */
  async all({ messages, contacts }: BaileysEventMap['messaging-history.set']): Promise<void> {
    await this.contacts(contacts);
    if (this.settings().syncHistory) await this.messages(messages, true);
  }

  /** Messages, oldest first. */
  async messages(messages: WAMessage[], isHistory: boolean): Promise<void> {
    const found: { message: WAMessage; event: GatewayEvent }[] = [];
    for (const message of messages) {
      const event = await this.translated.event(message, isHistory);
      if (event) found.push({ message, event });
    }
    if (isHistory) found.reverse();
    // Each by itself: the queue makes batches of them that one commit takes.
    for (const { message, event } of found) {
      if (isHistory) void this.commits.append({ events: [event] });
      else this.translated.store(message, event);
    }
  }

  /** People of the address book, and those whose name we learnt. */
  async contacts(contacts: Partial<Contact>[]): Promise<void> {
    const people: (NamedPerson & { isSaved: boolean })[] = [];
    for (const { id, lid, phoneNumber, name, notify, verifiedName } of contacts) {
      if (!id || !(isPnUser(id) || isLidUser(id))) continue;
      const person = await this.translated.resolve(id, lid, phoneNumber);
      people.push({ ...person, name: name ?? verifiedName ?? notify ?? '', isSaved: !!name });
    }
    for (let from = 0; from < people.length; from += MOST_CONTACTS) {
      const part = people.slice(from, from + MOST_CONTACTS);
      // Every message brings its writer's name.
      const digest = createHash('sha256').update(JSON.stringify(part)).digest('base64');
      if (this.told.has(digest)) continue;
      if (this.told.size >= MOST_REMEMBERED) this.told.clear();
      this.told.add(digest);
      void this.commits.append({ events: [contactsEvent(this.factId(), part)] });
    }
  }
}
