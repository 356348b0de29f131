import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

/** The fields that the browser renders; an unsent message has no others. */
export type QuotedMessage = Omit<
  Schemas['TicketMessage'],
  'companyId' | 'quotedMsg' | 'quotedMsgId' | 'read' | 'remoteJid' | 'wid'
>;
export type Message = QuotedMessage & { quotedMsg: QuotedMessage | null };
export type TicketActivity = Schemas['TicketActivity'];
/** A user or queue that a note may mention. */
export type NoteName = Schemas['NoteName'] & { id: number };
export type NoteInput = Schemas['NoteWriteRequest'];
export type Mention = Schemas['Mention'];
export type Mentions = Schemas['Mentions'];
/** A page of a conversation, oldest message first. */
export type MessagePage = Omit<Schemas['MessagePage'], 'messages' | 'ticket'> & {
  messages: Message[];
  /**
   * The ids of the contact's messages that arrived while the loaded pages end before the newest
   * message.
   */
  arrivedIds?: number[];
};

/** The position of a page: at the end, before or after a message, or around one or a note. */
export interface PagePlace {
  before?: number;
  after?: number;
  around?: number;
  aroundNote?: number;
}

/** Newest page first. */
export type MessagePages = InfiniteData<MessagePage, PagePlace>;

export type FoundMessages = Omit<Schemas['FoundMessages'], 'messages'> & { messages: Message[] };

/** Who else is writing in a conversation, and what. */
export type Writer = Schemas['Writer'];

export type ForwardRefusals = Schemas['ForwardRefusals'];
export type Follows = Schemas['Follows'];
export type Forwarded = Omit<Schemas['Forwarded'], 'messages'> & { messages: Message[] };

/** An interactive message as it is sent. */
export type MenuInput = NonNullable<Schemas['MessageCreateRequest']['interactive']>;
export type Product = Schemas['Product'];
export type ProductList = Schemas['ProductList'];
