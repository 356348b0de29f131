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
/** The number of past messages in one write, and the pause before the next write. */
const PAST_AT_ONCE = 50;
const PAST_PAUSE_MS = 1_000;

/**
 * Commits messages of the past and the address book.
 *
 * A phone sends months of messages at once. They are written in small batches, so that a new
 * message waits for at most one of these writes, here and at the server.
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

  /** Whether past messages are not stored yet. */
  get isBusy(): boolean {
    return this.chunks > 0;
  }

  /** Stop writing the past: the next connection receives it again. */
  close(): void {
    this.isClosed = true;
  }

  /** Write one chunk of the phone's history, after the earlier chunks. */
  async all({ messages, contacts }: BaileysEventMap['messaging-history.set']): Promise<void> {
    if (this.settings().syncHistory) {
      this.chunks += 1;
      this.past = this.past
        .then(() => this.tellPast(messages))
        .then(() => {
          this.chunks -= 1;
        })
        .catch((error: unknown) => {
          // On failure `isBusy` stays true: the chunk is kept, and the next connection receives it
          // again.
          if (!this.isClosed) log('history failed', { error: reasonOf(error) });
          this.close();
        });
    }
    await this.contacts(contacts);
  }

  /** Write messages that came outside of history chunks, oldest first. */
  async messages(messages: WAMessage[]): Promise<void> {
    for (const message of messages) {
      const event = await this.translated.event(message);
      if (event) this.translated.store(message, event);
    }
  }

  /** Write messages of the past, which arrive newest first. */
  private async tellPast(messages: WAMessage[]): Promise<void> {
    // Past group messages belong to no conversation with one contact.
    const ordered = messages.filter(({ key }) => !isJidGroup(conversationOf(key))).toReversed();
    for (let from = 0; from < ordered.length && !this.isClosed; from += PAST_AT_ONCE) {
      if (from > 0) await delay(PAST_PAUSE_MS);
      const stored: Promise<void>[] = [];
      for (const message of ordered.slice(from, from + PAST_AT_ONCE)) {
        const event = await this.translated.event(message, true);
        // A write for each message: if the server refuses one, the others are unaffected.
        if (event) stored.push(this.commits.append({ events: [event] }));
      }
      await Promise.all(stored);
    }
  }

  /** Write contacts of the address book, and people whose name became known. */
  async contacts(contacts: Partial<Contact>[]): Promise<void> {
    const people: (NamedPerson & { isSaved: boolean })[] = [];
    for (const { id, lid, phoneNumber, name, notify, verifiedName } of contacts) {
      if (!id || !(isPnUser(id) || isLidUser(id))) continue;
      const person = await this.translated.resolve(id, lid, phoneNumber);
      people.push({ ...person, name: name ?? verifiedName ?? notify ?? '', isSaved: !!name });
    }
    for (let from = 0; from < people.length; from += MOST_CONTACTS) {
      const part = people.slice(from, from + MOST_CONTACTS);
      // Every message repeats its sender's name, so unchanged contacts are skipped.
      const digest = createHash('sha256').update(JSON.stringify(part)).digest('base64');
      if (this.told.has(digest)) continue;
      if (this.told.size >= MOST_REMEMBERED) this.told.clear();
      this.told.add(digest);
      void this.commits.append({ events: [contactsEvent(this.factId(), part)] });
    }
  }
}
