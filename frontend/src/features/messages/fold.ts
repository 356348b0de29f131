import type { Message, MessagePage, MessagePages, TicketActivity } from './types';

type Loaded = Pick<MessagePages, 'pages'>;

/** Whether `left` is an older state of the same message than `right`. */
export const isOlder = (left: Message, right: Message) =>
  Date.parse(left.updatedAt) < Date.parse(right.updatedAt);

function changePage(
  pages: MessagePages,
  index: number,
  change: (page: MessagePage) => MessagePage,
): MessagePages {
  return {
    ...pages,
    pages: pages.pages.map((page, position) => (position === index ? change(page) : page)),
  };
}

const holds = (pages: MessagePages, id: number) =>
  pages.pages.findIndex((page) => page.messages.some((message) => message.id === id));

/** Applies a newer state of a message; ignores a message that is not loaded, and an older state. */
export function foldUpdated(pages: MessagePages, message: Message): MessagePages {
  const index = holds(pages, message.id);
  const known = pages.pages[index]?.messages.find(({ id }) => id === message.id);
  if (!known || isOlder(message, known)) return pages;
  return changePage(pages, index, (page) => ({
    ...page,
    messages: page.messages.map((each) => (each.id === message.id ? message : each)),
  }));
}

/** Whether the loaded pages end before the newest message, after a jump far back. */
export const endsEarly = (pages: Loaded | undefined) => pages?.pages[0]?.hasNewer ?? false;

/** Only counts messages beyond the loaded pages: they load with their own page. */
function foldArrived(pages: MessagePages, message: Message): MessagePages {
  const arrived = pages.pages[0]?.arrivedIds ?? [];
  if (message.fromMe || arrived.includes(message.id)) return pages;
  return changePage(pages, 0, (page) => ({ ...page, arrivedIds: [...arrived, message.id] }));
}

/** Inserts a message by id, once. A message outside of the loaded range loads with its own page. */
export function foldCreated(pages: MessagePages, message: Message): MessagePages {
  if (holds(pages, message.id) >= 0) return foldUpdated(pages, message);
  const newest = pages.pages[0]?.messages.at(-1);
  if (endsEarly(pages) && newest && newest.id < message.id) return foldArrived(pages, message);
  let index = pages.pages.findIndex(({ messages: [oldest] }) => !oldest || oldest.id < message.id);
  if (index < 0) {
    if (pages.pages.at(-1)?.hasMore) return pages;
    index = pages.pages.length - 1;
  }
  return changePage(pages, index, (page) => ({
    ...page,
    count: page.count + 1,
    messages: [...page.messages, message].sort((left, right) => left.id - right.id),
  }));
}

/** Adds an activity of the ticket, once. */
export function foldActivity(pages: MessagePages, activity: TicketActivity): MessagePages {
  if (endsEarly(pages)) return pages;
  if (pages.pages.some(({ events }) => events.some(({ id }) => id === activity.id))) return pages;
  return changePage(pages, 0, (page) => ({ ...page, events: [...page.events, activity] }));
}

/** Removes a line of the activity, wherever it is loaded. */
export function foldWithoutActivity(pages: MessagePages, id: number): MessagePages {
  if (!pages.pages.some(({ events }) => events.some((each) => each.id === id))) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      events: page.events.filter((each) => each.id !== id),
    })),
  };
}

/**
 * Keeps only the newest page, so that opening the conversation again takes one call and shows its
 * end.
 */
export function foldClosed(pages: MessagePages): MessagePages {
  const kept = endsEarly(pages) ? 0 : 1;
  const params = pages.pageParams.slice(0, kept);
  return { pages: pages.pages.slice(0, kept), pageParams: params.map(() => ({})) };
}

/** Every loaded message, oldest first. */
export const messagesOf = (pages: Loaded | undefined): Message[] =>
  pages ? pages.pages.flatMap((_, index) => pages.pages.at(-1 - index)?.messages ?? []) : [];

/** All loaded activities, oldest first, without duplicates. */
export function activitiesOf(pages: Loaded | undefined): TicketActivity[] {
  const activities = new Map<number, TicketActivity>();
  for (const page of pages?.pages ?? [])
    for (const activity of page.events) activities.set(activity.id, activity);
  return [...activities.values()].sort(
    (left, right) => Date.parse(left.createdAt) - Date.parse(right.createdAt) || left.id - right.id,
  );
}
