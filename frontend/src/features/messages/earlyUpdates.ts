import { isOlder } from './fold';
import type { Message } from './types';

/** The number of kept updates that may arrive before their message: a fetched file, a tick. */
const KEPT = 50;

/**
 * Keeps updates that arrive before the event of their message: two workers commit in order, but
 * their events may be delivered in any order.
 */
export class EarlyUpdates {
  private readonly updates = new Map<number, Message>();

  note(message: Message) {
    const known = this.updates.get(message.id);
    if (known && isOlder(message, known)) return;
    this.updates.delete(message.id);
    this.updates.set(message.id, message);
    if (this.updates.size <= KEPT) return;
    const [oldestId] = this.updates.keys();
    if (oldestId !== undefined) this.updates.delete(oldestId);
  }

  /** Returns the message, or a newer state of it from an update that arrived first. */
  newestOf(message: Message): Message {
    const update = this.updates.get(message.id);
    return update && isOlder(message, update) ? update : message;
  }
}
