/** A template as the contact sees it, read leniently from any stored shape. */

import { safeHref } from '../safeHref';

export type MediaKind = 'image' | 'video' | 'document';

export type ShownHeader =
  | { kind: 'text'; text: string }
  | { kind: 'location'; text: string }
  | { kind: MediaKind; url: string | undefined; name: string };

export interface ShownButton {
  kind: 'link' | 'phone' | 'code' | 'reply' | 'form' | 'catalog' | 'list' | 'location' | 'contact';
  text: string;
  href: string | undefined;
}

export interface ShownTemplate {
  header: ShownHeader | null;
  body: string;
  footer: string;
  buttons: ShownButton[];
  offer?: ShownOffer;
  /** The cards of a carousel. */
  cards?: ShownTemplate[];
}

/** A limited-time offer. */
export interface ShownOffer {
  text: string;
  /** The code to copy, or ''. */
  code: string;
  /** When it ends; null for an offer without an end. */
  expiresAt: string | null;
}

/** More cards than a carousel has at Meta are not shown. */
const MOST_CARDS = 10;

type Fields = Record<string, unknown>;

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const asList = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map(asFields) : [];
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const typeOf = (part: Fields, key = 'type') => asText(part[key]).toUpperCase();

const MEDIA: Readonly<Record<string, MediaKind>> = {
  IMAGE: 'image',
  GIF: 'video',
  VIDEO: 'video',
  DOCUMENT: 'document',
};

/** A path of this server or a public address; a stored row has its own as `mediaUrl`. */
const addressOf = (part: Fields): string => {
  const [handle] = (asFields(part.example).header_handle ?? []) as unknown[];
  return asText(part.url) || asText(part.link) || asText(handle);
};

/** The text from `parameters`, which a sent template has instead of a filled text. */
function sentText(part: Fields): string {
  return asList(part.parameters)
    .map((parameter) => asText(parameter.text))
    .filter(Boolean)
    .join(' ');
}

function headerOf(part: Fields): ShownHeader | null {
  const [parameter] = asList(part.parameters);
  const format = typeOf(part, 'format') || (parameter ? typeOf(parameter) : '');
  const kind = MEDIA[format];
  if (kind) {
    const file = asFields(parameter?.[kind]);
    const url = safeHref(addressOf(part) || addressOf(file));
    return { kind, url, name: asText(part.filename) || asText(file.filename) };
  }
  const text = asText(part.text) || sentText(part);
  return text ? { kind: 'text', text } : null;
}

export function buttonOf(button: Fields): ShownButton {
  const type = typeOf(button) || typeOf(button, 'sub_type');
  const text =
    asText(button.text) ||
    asText(button.title) ||
    asText(asFields(button.reply).title) ||
    sentText(button);
  const phone = asText(button.phone_number);
  const url = asText(button.url);
  if (phone) return { kind: 'phone', text, href: safeHref(`tel:${phone.replace(/[^\d+]/g, '')}`) };
  if (url) return { kind: 'link', text, href: safeHref(url) };
  if (type === 'COPY_CODE' || type === 'OTP') return { kind: 'code', text, href: undefined };
  return { kind: type === 'URL' ? 'link' : 'reply', text, href: undefined };
}

/** Finds the list of components, which older rows keep in different places. */
function componentsOf(data: unknown): Fields[] {
  if (Array.isArray(data)) return asList(data);
  const outer = asFields(data);
  return asList(outer.components ?? asFields(outer.template).components);
}

/** Components HEADER, BODY, FOOTER and BUTTONS (rules/messages §1). */
export function shownTemplate(data: unknown): ShownTemplate {
  const parts = componentsOf(data);
  const carousel = parts.find((part) => typeOf(part) === 'CAROUSEL');
  const cards = asList(carousel?.cards)
    .slice(0, MOST_CARDS)
    .map(({ components }) => shownParts(asList(components)));
  const shown = shownParts(parts);
  return cards.length > 0 ? { ...shown, cards } : shown;
}

function offerOf(part: Fields, parts: readonly Fields[]): ShownOffer {
  const buttons = parts.flatMap(({ buttons: list }) => asList(list));
  const expiresAt = asText(part.expiresAt);
  return {
    text: asText(part.text) || asText(asFields(part.limited_time_offer).text),
    code: asText(buttons.find((button) => typeOf(button) === 'COPY_CODE')?.code),
    expiresAt: Number.isNaN(Date.parse(expiresAt)) ? null : expiresAt,
  };
}

function shownParts(parts: readonly Fields[]): ShownTemplate {
  const shown: ShownTemplate = { header: null, body: '', footer: '', buttons: [] };
  for (const part of parts) {
    switch (typeOf(part)) {
      case 'HEADER':
        shown.header = headerOf(part);
        break;
      case 'BODY':
        shown.body = asText(part.text);
        break;
      case 'FOOTER':
        shown.footer = asText(part.text);
        break;
      case 'BUTTONS':
        shown.buttons.push(...asList(part.buttons).map(buttonOf));
        break;
      case 'LIMITED_TIME_OFFER':
        shown.offer = offerOf(part, parts);
        break;
      case 'BUTTON':
        shown.buttons.push(buttonOf(part));
    }
  }
  shown.buttons = shown.buttons.filter(({ text }) => text);
  return shown;
}
