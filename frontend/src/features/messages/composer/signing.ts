import type { QuotedMessage } from '../types';

/** The server's limit of a text, signature included. */
export const MAX_TEXT = 4096;
/** WhatsApp's limit of the text under a file. */
export const MAX_CAPTION = 1024;

/** The text as it is sent: the name in bold before it when signing is on (rules/messages §9). */
export const signed = (text: string, name: string | null): string =>
  text && name !== null ? `*${name}:*\n${text}` : text;

/** A sent text without one's own signature, and that signature. */
export function unsigned(body: string, name: string): { prefix: string; text: string } {
  const prefix = `*${name}:*\n`;
  return body.startsWith(prefix)
    ? { prefix, text: body.slice(prefix.length) }
    : { prefix: '', text: body };
}

/** What somebody of our side wrote, without the name that signs it. */
export const unsignedBody = ({
  fromMe,
  body,
  userName,
}: Pick<QuotedMessage, 'fromMe' | 'body' | 'userName'>): string =>
  fromMe && userName !== null ? unsigned(body, userName).text : body;
