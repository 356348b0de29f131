import { withoutRow, withRow } from '@/lib/api/rows';
import type { LiveEvent } from '@/lib/api/types';
import type { Queue } from './types';

/** The server's order of queues, in every list and in the bot's menu. */
const inOrder = (left: Queue, right: Queue) => {
  // A queue without an order comes last.
  const [first, second] = [left.orderQueue ?? Infinity, right.orderQueue ?? Infinity];
  return first === second ? left.id - right.id : first - second;
};

/** Inserts, updates or removes a queue in the list; an older state changes nothing. */
export function foldQueues(queues: Queue[], event: LiveEvent<'queue'>): Queue[] {
  return event.action === 'delete'
    ? withoutRow(queues, event.queueId)
    : withRow(queues, event.queue, inOrder);
}

/**
 * The queues whose position changes when one moves up or down, with their new `orderQueue`: all
 * that share a number or are between are renumbered.
 */
export function movedQueues(queues: readonly Queue[], id: number, by: 1 | -1): Queue[] {
  const from = queues.findIndex((queue) => queue.id === id);
  const moving = queues[from];
  const other = queues[from + by];
  if (!moving || !other) return [];
  const { orderQueue: own } = moving;
  if (own !== other.orderQueue && own !== null && other.orderQueue !== null)
    return [
      { ...moving, orderQueue: other.orderQueue },
      { ...other, orderQueue: moving.orderQueue },
    ];
  const order = queues.filter((queue) => queue.id !== id);
  order.splice(from + by, 0, moving);
  return order
    .map((queue, at) => ({ ...queue, orderQueue: at + 1 }))
    .filter(({ orderQueue, id: of }) => {
      const before = queues.find((queue) => queue.id === of);
      return before?.orderQueue !== orderQueue;
    });
}
