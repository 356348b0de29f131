import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { vi } from 'vitest';
import { fileListPagesQuery, type FileList } from '@/features/fileLists/api';
import { quickMessagesQuery, type QuickMessage } from '@/features/quickMessages/api';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { messagesKey } from './api';
import { Composer } from './Composer';
import { useComposition } from './composer/useComposition';
import { useOutbox } from './outbox';
import { makeMessage, makePage, makePages, makeTicket } from './testData';
import type { Ticket } from '@/features/tickets/api';
import type { Message } from './types';
import { useAlone } from './useAlone';
import type { Writers } from './writers';

const QUICK_MESSAGES: QuickMessage[] = (
  [
    [1, 'etiqueta', 'Segue a etiqueta', 'Etiqueta.pdf'],
    [2, 'troca', 'Oi {{firstName}}, protocolo {{protocol}}', null],
    [3, 'troca-pix', 'Devolvemos por Pix', null],
  ] as const
).map(([id, shortcode, message, mediaName]) => ({
  id,
  shortcode,
  message,
  geral: true,
  status: true,
  mediaPath: mediaName && `selo/2/${mediaName}`,
  mediaName,
  mediaMime: mediaName && 'application/pdf',
  mediaSize: mediaName && 900,
  isMedia: mediaName !== null,
  userId: 7,
  companyId: 2,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
}));

export const setFileLists = (files: FileList[]) =>
  queryClient.setQueryData(fileListPagesQuery('').queryKey, {
    pages: [{ files, count: files.length, hasMore: false }],
    pageParams: [1],
  });

export interface Sent {
  mediaPath?: string;
  body: string;
  clientId: string;
  quotedMsg: { id: number } | null;
}

type Answer = (body: Sent) => Promise<Response> | Response;

/** The messages sent to the server, oldest first. */
export const sent: Sent[] = [];
let answer: Answer;

/** Makes the server answer differently until the next test. */
export function answerWith(next: Answer) {
  answer = next;
}

/** The server's answer to an accepted message. */
export const accepts = (body: Sent) =>
  new Response(
    JSON.stringify(makeMessage(30 + sent.length, { body: body.body, fromMe: true, userId: 7 })),
    { status: 201 },
  );

/** Resets the state: nothing sent, three quick messages, no file lists. For `beforeEach`. */
export function startComposing() {
  sent.length = 0;
  answer = accepts;
  useOutbox.setState({ items: [] });
  queryClient.clear();
  queryClient.setQueryData(messagesKey(50), makePages(makePage([1])));
  queryClient.setQueryData(quickMessagesQuery().queryKey, QUICK_MESSAGES);
  setFileLists([]);
  closeSession();
  openSession({ token: 'token', user: makeUser() });
  // Functions missing in jsdom.
  Element.prototype.scrollIntoView = vi.fn();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => {
    // Test files of a worker share modules: another one may have begun to save drafts.
    if (/\/drafts?$/.test(url)) return Promise.resolve(Response.json({ drafts: [] }));
    const body = JSON.parse(request.body as string) as Sent;
    sent.push(body);
    return Promise.resolve(answer(body));
  });
}

interface Props {
  ticket: Ticket;
  onSentLast: () => void;
  replyTo: Message | null;
  onReplyEnd: () => void;
  editing: Message | null;
  onEditEnd: () => void;
  onEdited: (body: string) => void;
  onEditLast: () => boolean;
  writers: Writers;
}

function Subject({ writers = [], ...props }: Partial<Props>) {
  const composing = useComposition(50);
  const { whenAlone, question } = useAlone(writers, () => undefined);
  return (
    <>
      <Composer
        ticket={makeTicket()}
        composing={composing}
        replyTo={null}
        onReplyEnd={() => undefined}
        onSent={() => undefined}
        onSentLast={() => undefined}
        whenAlone={whenAlone}
        {...props}
      />
      {question}
    </>
  );
}

/** Renders the composer of conversation 50 and focuses it. */
export function open(props: Partial<Props> = {}) {
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <ChakraProvider value={system}>
          <Subject {...props} />
        </ChakraProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  return {
    user: userEvent.setup({ delay: null }),
    input: screen.getByLabelText<HTMLTextAreaElement>('Mensagem'),
  };
}
