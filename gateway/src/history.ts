import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isJidGroup, isLidUser, isPnUser } from 'baileys';
import type { BaileysEventMap, Contact, WAMessage } from 'baileys';
import type { CommitQueue } from './commits.js';
import type { NamedPerson, SessionSettings } from './contract.js';
import { contactsEvent } from './events.js';
import { conversationOf } from './jids.js';
import { log, reasonOf } from './logging.js';
import type { Messages } from './messages.js';

const MOST_CONTACTS = 500;
const MOST_REMEMBERED = 5_000;
/** So many messages of the past go in one write, and so long after it goes the next. */
const PAST_AT_ONCE = 50;
const PAST_PAUSE_MS = 1_000;

/**
 * Commits what comes in lists: messages of the past, the address book.
 *
 * A phone hands months over at once. They are told a few at a time: what is said meanwhile waits
 * for one write of them at most, here and at the server.
 */
export class History {
  private readonly told = new Set<string>();
  private past: Promise<void> = Promise.resolve();
  private chunks = 0;
  private isClosed = false;

  constructor(
    private readonly translated: Messages,
    private readonly commits: CommitQueue,
    private readonly settings: () => SessionSettings,
    private readonly factId: () => string,
  ) {}

  /** Is something of the past not stored yet? */
  get isBusy(): boolean {
    return this.chunks > 0;
  }

  /** Tell nothing more of the past: the next connection is given it again. */
  close(): void {
    this.isClosed = true;
  }

  /** One chunk of the phone's history, after those before it. */
  async all({ messages, contacts }: BaileysEventMap['messaging-history.set']): Promise<void> {
    if (this.settings().syncHistory) {
      this.chunks += 1;
      this.past = this.past
        .then(() => this.tellPast(messages))
        .then(() => {
          this.chunks -= 1;
        })
        .catch((error: unknown) => {
          // Still busy: the chunk is kept, and the next connection is given it again.
          if (!this.isClosed) log('history failed', { error: reasonOf(error) });
          this.close();
        });
    }
    await this.contacts(contacts);
  }

  /** Messages that came beside the others, oldest first. */
  async messages(messages: WAMessage[]): Promise<void> {
    for (const message of messages) {
      const event = await this.translated.event(message);
      if (event) this.translated.store(message, event);
    }
  }

  /** Messages of the past, which come newest first. */
  private async tellPast(messages: WAMessage[]): Promise<void> {
    // A group's past is no conversation with anybody.
    const ordered = messages.filter(({ key }) => !isJidGroup(conversationOf(key))).toReversed();
    for (let from = 0; from < ordered.length && !this.isClosed; from += PAST_AT_ONCE) {
      if (from > 0) await delay(PAST_PAUSE_MS);
      const stored: Promise<void>[] = [];
      for (const message of ordered.slice(from, from + PAST_AT_ONCE)) {
        const event = await this.translated.event(message, true);
        // Each by itself: what the server does not take of one leaves the others as they are.
        if (event) stored.push(this.commits.append({ events: [event] }));
      }
      await Promise.all(stored);
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
