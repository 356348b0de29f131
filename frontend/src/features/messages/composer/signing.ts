import type { QuotedMessage } from '../types';

/** The server's length limit of a text, signature included. */
export const MAX_TEXT = 4096;
/** WhatsApp's length limit of a caption. */
export const MAX_CAPTION = 1024;

/** Meta's length limit of a text for a closed window (rules/messages §12). */
export const MAX_UTILITY_TEXT = 1024;

/** The text to send: preceded by the user's name in bold if signing is on (rules/messages §9). */
export const signed = (text: string, name: string | null): string =>
  text && name !== null ? `*${name}:*\n${text}` : text;

/** Splits a sent text into the user's own signature and the rest. */
export function unsigned(body: string, name: string): { prefix: string; text: string } {
  const prefix = `*${name}:*\n`;
  return body.startsWith(prefix)
    ? { prefix, text: body.slice(prefix.length) }
    : { prefix: '', text: body };
}

/** The text of a sent message without its signature. */
export const unsignedBody = ({
  fromMe,
  body,
  userName,
}: Pick<QuotedMessage, 'fromMe' | 'body' | 'userName'>): string =>
  fromMe && userName !== null ? unsigned(body, userName).text : body;
