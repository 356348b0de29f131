import { create } from 'zustand';

/** The unsent messages of a conversation, as its row shows them. */
export interface UnsentOfTicket {
  count: number;
  /** The text of the last one. */
  text: string;
  /** One of them was refused. */
  isFailed: boolean;
  /** One of them waits for the server. */
  waits: boolean;
  /** One of them is being sent for the first time. */
  isMoving: boolean;
}

/** What would leave with the user, or lose its conversation. */
type Leaving = 'resolve' | 'return' | 'transfer' | 'logout';

interface Question {
  leaving: Leaving;
  count: number;
  answer: (goesOn: boolean) => void;
}

interface UnsentState {
  /** By the ticket's id. */
  tickets: Partial<Record<number, UnsentOfTicket>>;
  chats: number;
  /** The beginnings of the signed-in user's drafts, by the ticket's id. */
  drafts: Partial<Record<number, string>>;
  /** How many drafts came from another browser of the user, by the ticket's id. */
  arrivals: Partial<Record<number, number>>;
  question: Question | null;
}

/** What this browser has written and the server does not have. */
export const useUnsent = create<UnsentState>(() => ({
  tickets: {},
  chats: 0,
  drafts: {},
  arrivals: {},
  question: null,
}));

interface UnsentMessage {
  ticketId: number;
  text: string;
  isFailed: boolean;
  waits: boolean;
}

export function setUnsentOfTickets(messages: readonly UnsentMessage[]) {
  const tickets: UnsentState['tickets'] = {};
  for (const { ticketId, text, isFailed, waits } of messages) {
    const before = tickets[ticketId];
    tickets[ticketId] = {
      count: (before?.count ?? 0) + 1,
      text,
      isFailed: isFailed || Boolean(before?.isFailed),
      waits: waits || Boolean(before?.waits),
      isMoving: !(isFailed || waits) || Boolean(before?.isMoving),
    };
  }
  useUnsent.setState({ tickets });
}

export const setDrafts = (drafts: UnsentState['drafts']) => useUnsent.setState({ drafts });

/** A draft that another browser has saved is to be shown. */
export const noteArrival = (ticketId: number) =>
  useUnsent.setState(({ arrivals }) => ({
    arrivals: { ...arrivals, [ticketId]: (arrivals[ticketId] ?? 0) + 1 },
  }));

export const setUnsentOfChats = (chats: number) => useUnsent.setState({ chats });

const MOVING_MS = 2_000;

/** Waits, but not long, until messages that are being sent have left. */
function whenSettled(ticketId: number | undefined): Promise<void> {
  const moves = () => {
    const { tickets } = useUnsent.getState();
    const own = ticketId === undefined ? Object.values(tickets) : [tickets[ticketId]];
    return own.some((each) => each?.isMoving);
  };
  return new Promise((resolve) => {
    const end = () => {
      window.clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = window.setTimeout(end, MOVING_MS);
    const stop = useUnsent.subscribe(() => moves() || end());
    if (!moves()) end();
  });
}

/**
 * Asks whether to go on although messages were not sent, of the ticket or of all conversations;
 * resolves to true at once if there are none.
 */
export async function confirmUnsent(leaving: Leaving, ticketId?: number): Promise<boolean> {
  await whenSettled(ticketId);
  const { tickets, chats, question } = useUnsent.getState();
  const all = Object.values(tickets).reduce((sum, each) => sum + (each?.count ?? 0), chats);
  const count = ticketId === undefined ? all : (tickets[ticketId]?.count ?? 0);
  question?.answer(false);
  if (count === 0) return true;
  return await new Promise((resolve) => {
    const answer = (goesOn: boolean) => {
      useUnsent.setState({ question: null });
      resolve(goesOn);
    };
    useUnsent.setState({ question: { leaving, count, answer } });
  });
}
