import type { Ticket } from '@/features/tickets/api';
import type { Message, MessagePage, MessagePages, TicketActivity } from './types';

/** A ticket of the contact Mariana, held by user 7; pass the differences. */
export function makeTicket(changes: Partial<Ticket> = {}): Ticket {
  return {
    id: 50,
    uuid: 'c0ffee00-0000-4000-8000-000000000050',
    status: 'open',
    unreadMessages: 0,
    handedOver: false,
    handedOverById: null,
    lastMessage: '',
    lastMessageId: null,
    lastMessageFromMe: null,
    lastMessageAck: null,
    lastMessageMediaType: null,
    lastMessageDeleted: null,
    lastInboundAt: null,
    referral: null,
    isGroup: false,
    userId: 7,
    contactId: 3,
    whatsappId: 1,
    queueId: 4,
    companyId: 2,
    owner: 'us',
    ownerAt: null,
    chatbot: false,
    useIntegration: false,
    promptId: null,
    integrationId: null,
    closedAt: null,
    queuedAt: '2026-03-02T12:00:00Z',
    priority: 'normal',
    snoozedAt: null,
    snoozedUntil: null,
    slaDueAt: null,
    slaWarnsAt: null,
    woken: '',
    unansweredCampaign: false,
    createdAt: '2026-03-02T12:00:00Z',
    updatedAt: '2026-03-02T12:00:00Z',
    contact: {
      id: 3,
      name: 'Mariana Albuquerque',
      number: '5511984321107',
      email: '',
      profilePicUrl: '',
      isGroup: false,
      ignoreMessages: false,
      tags: [],
    },
    queue: { id: 4, name: 'Trocas', color: '#E0763A' },
    user: { id: 7, name: 'Camila Duarte' },
    whatsapp: { id: 1, name: 'Loja Centro', provider: 'official', status: 'CONNECTED' },
    tags: [],
    ...changes,
  };
}

/** A text from the contact, one minute later for each id. */
export function makeMessage(id: number, changes: Partial<Message> = {}): Message {
  const at = new Date(Date.UTC(2026, 2, 2, 12, id)).toISOString();
  return {
    id,
    clientId: null,
    ticketId: 50,
    contactId: 3,
    body: `mensagem ${id}`,
    fromMe: false,
    ack: 0,
    mediaType: 'conversation',
    mediaUrl: null,
    mediaName: '',
    mediaMime: '',
    mediaSize: null,
    mediaSeconds: null,
    mediaState: null,
    isDeleted: false,
    isEdited: false,
    dataJson: null,
    userId: null,
    userName: null,
    source: 'contact',
    errorCode: '',
    errorReason: '',
    reasonCode: '',
    reasonDetail: '',
    reactions: [],
    pollVotes: [],
    participant: null,
    contact: { id: 3, name: 'Mariana Albuquerque', number: '5511984321107', profilePicUrl: '' },
    quotedMsg: null,
    createdAt: at,
    updatedAt: at,
    ...changes,
  };
}

export function makeActivity(id: number, minute: number): TicketActivity {
  return {
    id,
    ticketId: 50,
    kind: 'accepted',
    actorId: 7,
    actorName: 'Camila Duarte',
    userName: null,
    queueName: null,
    whatsappName: null,
    by: null,
    reason: null,
    error: null,
    reasonCode: '',
    reasonDetail: '',
    rate: null,
    note: null,
    mentions: [],
    priority: null,
    until: null,
    closingReason: null,
    number: null,
    createdAt: new Date(Date.UTC(2026, 2, 2, 12, minute, 30)).toISOString(),
  };
}

export const makePage = (ids: number[], changes: Partial<MessagePage> = {}): MessagePage => ({
  messages: ids.map((id) => makeMessage(id)),
  count: ids.length,
  hasMore: false,
  hasNewer: false,
  events: [],
  ...changes,
});

/** Pages as the cache holds them: the newest first. */
export const makePages = (...pages: MessagePage[]): MessagePages => ({
  pages,
  pageParams: pages.map((_, index) => {
    const [oldest] = pages[index - 1]?.messages ?? [];
    return oldest ? { before: oldest.id } : {};
  }),
});
