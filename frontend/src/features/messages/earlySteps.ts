import type { Message } from './api';
import { isOlder } from './fold';

/** As many steps as may overtake a message's own arrival: a file fetched, a tick. */
const KEPT = 50;

/**
 * Steps of messages, for those that are told before their message: two workers commit one after
 * the other, but nothing puts what they tell in that order.
 */
export class EarlySteps {
  private readonly steps = new Map<number, Message>();

  note(message: Message) {
    const known = this.steps.get(message.id);
    if (known && isOlder(message, known)) return;
    this.steps.delete(message.id);
    this.steps.set(message.id, message);
    if (this.steps.size <= KEPT) return;
    const [oldestId] = this.steps.keys();
    if (oldestId !== undefined) this.steps.delete(oldestId);
  }

  /** The message as it is told, or as a step that came before it has it. */
  newestOf(message: Message): Message {
    const step = this.steps.get(message.id);
    return step && isOlder(message, step) ? step : message;
  }
}
