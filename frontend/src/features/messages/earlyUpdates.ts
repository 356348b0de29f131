import { isOlder } from './fold';
import type { Message } from './types';

/** As many updates as may overtake a message's own arrival: a file fetched, a tick. */
const KEPT = 50;

/**
 * Updates of messages, for those that are told before their message: two workers commit one after
 * the other, but nothing puts what they tell in that order.
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

  /** The message as it is told, or as an update that came before it has it. */
  newestOf(message: Message): Message {
    const update = this.updates.get(message.id);
    return update && isOlder(message, update) ? update : message;
  }
}
