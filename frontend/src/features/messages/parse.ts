/** The structured bodies of messages, read leniently: what cannot be read is left out. */

import { safeHref } from '@/lib/safeHref';

type Fields = Record<string, unknown>;

const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const asList = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(asFields) : []);
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The structured part of a message; older rows store it as an object or as doubly encoded JSON. */
export function parseData(dataJson: unknown): unknown {
  if (typeof dataJson !== 'string' || !dataJson) return dataJson ?? undefined;
  try {
    const parsed = JSON.parse(dataJson) as unknown;
    return typeof parsed === 'string' ? parseData(parsed) : parsed;
  } catch {
    return undefined;
  }
}

/** Whether the message was forwarded from another conversation. */
export const isForwarded = (dataJson: string | null): boolean =>
  Boolean(dataJson?.includes('"forwarded"')) && asFields(parseData(dataJson)).forwarded === true;

/** Whether it is a text for a closed window, which Meta sends as a utility message. */
export const isUtilityText = (dataJson: string | null): boolean =>
  Boolean(dataJson?.includes('"utility"')) && asFields(parseData(dataJson)).category === 'utility';

export interface Referral {
  /** True for an advertisement, false for a post. */
  isAd: boolean;
  headline: string;
  body: string;
  href: string | undefined;
}

/** Reads the advertisement or post through which a contact came. */
export function parseReferral(value: unknown): Referral | undefined {
  const fields = asFields(value);
  if (Object.keys(fields).length === 0) return undefined;
  return {
    isAd: fields.source_type !== 'post',
    headline: asText(fields.headline),
    body: asText(fields.body),
    href: safeHref(asText(fields.source_url)),
  };
}

/** The referral of a message. */
export const referralOf = (dataJson: string | null): Referral | undefined =>
  dataJson?.includes('"referral"')
    ? parseReferral(asFields(parseData(dataJson)).referral)
    : undefined;

interface Location {
  image: string;
  href: string | undefined;
  description: string;
}

/** 'image|link|description'; the image may be bare base64 (rules/messages §1). */
export function parseLocation(body: string): Location {
  const [image = '', link = '', ...rest] = body.split('|').map((part) => part.trim());
  const isData = image.startsWith('data:image/');
  return {
    image: isData || safeHref(image)?.startsWith('http') ? image : '',
    href: safeHref(link),
    description: rest.join('|'),
  };
}

interface ContactCard {
  name: string;
  numbers: string[];
}

/** The number of contacts that WhatsApp's applications share at once. */
export const MOST_CARDS = 257;
/** For all cards of a message; each number has two buttons. */
export const MOST_NUMBERS = 300;
/** WhatsApp's own menus have ten rows. */
export const MOST_CHOICES = 50;

function bounded(cards: ContactCard[]): ContactCard[] {
  let left = MOST_NUMBERS;
  return cards.slice(0, MOST_CARDS).map((card) => {
    const numbers = card.numbers.slice(0, left);
    left -= numbers.length;
    return { ...card, numbers };
  });
}

const unescaped = (value: string) => value.replace(/\\n/gi, ' ').replace(/\\([,;\\])/g, '$1');

/** Reads the cards of a vCard text. */
export function parseCards(body: string): ContactCard[] {
  const cards = body
    .replace(/\r?\n[ \t]/g, '')
    .split(/BEGIN:VCARD/i)
    .slice(1, MOST_CARDS + 1);
  const read = cards.map((card) => {
    let name = '';
    const numbers: string[] = [];
    for (const line of card.split(/\r?\n/)) {
      const colon = line.indexOf(':');
      const key = line.slice(0, colon).toUpperCase();
      const value = unescaped(line.slice(colon + 1).trim());
      if (/^(?:\w+\.)?FN(?:;|$)/.test(key)) name = value;
      else if (/^(?:\w+\.)?TEL(?:;|$)/.test(key)) {
        const waid = /WAID=(\d+)/.exec(key)?.[1];
        numbers.push(waid ? `+${waid}` : value.replace(/^tel:/i, ''));
      }
    }
    return { name, numbers: [...new Set(numbers.filter(Boolean))] };
  });
  return bounded(read);
}

/** Reads the cards of the Cloud API's `contacts` list. */
export function parseCloudCards(data: unknown): ContactCard[] {
  const list = asList(Array.isArray(data) ? data : asFields(data).contacts);
  const read = list.slice(0, MOST_CARDS).map((contact) => ({
    name: asText(asFields(contact.name).formatted_name),
    numbers: asList(contact.phones)
      .map((phone) => asText(phone.wa_id) || asText(phone.phone))
      .filter(Boolean),
  }));
  return bounded(read);
}

export interface Poll {
  name: string;
  options: string[];
  /** The number of options that may be chosen; 0 means any number. */
  selectable: number;
}

/** The poll of a message; the message body holds the same as text. */
export function pollOf(dataJson: string | null): Poll | undefined {
  if (!dataJson?.includes('"poll"')) return undefined;
  const { name, options, selectable } = asFields(asFields(parseData(dataJson)).poll);
  const titles = Array.isArray(options) ? options.map(asText) : [];
  if (titles.length === 0) return undefined;
  return {
    name: asText(name),
    options: titles.slice(0, MOST_CHOICES),
    selectable: typeof selectable === 'number' ? selectable : 0,
  };
}

/** A question of a form with its answer. */
export interface FormLine {
  label: string;
  text: string;
}

/** The answers to a form of the bot, if each has its question; the body holds the same as text. */
export function formOf(dataJson: string | null): FormLine[] | undefined {
  if (!dataJson?.includes('"formAnswer"')) return undefined;
  const { given, answers } = asFields(asFields(parseData(dataJson)).formAnswer);
  const lines = asList(given).map((each) => ({
    label: asText(each.label),
    text: asText(each.text),
  }));
  const isWhole = lines.length > 0 && lines.length === Object.keys(asFields(answers)).length;
  return isWhole ? lines : undefined;
}

/** The kinds of interactive messages that a person sends (rules/messages §11). */
export const MENU_KINDS = [
  'buttons',
  'list',
  'link',
  'location_request',
  'contact_request',
  'product',
  'product_list',
  'catalog',
] as const;
export type MenuKind = (typeof MENU_KINDS)[number];

export interface ShownMenu {
  /** Null for a menu of a bot or a program, of which only the choices are known. */
  kind: MenuKind | null;
  header: string;
  body: string;
  footer: string;
  /** The text of the button that opens the list or the link. */
  button: string;
  href: string | undefined;
  choices: { title: string; description: string; section: string }[];
}

const titleOf = (choice: Fields) => asText(choice.title) || asText(asFields(choice.reply).title);

/** Reads an interactive message, in the provider's form or in ours. */
export function parseMenu(data: unknown): ShownMenu {
  const outer = asFields(data);
  const fields = 'interactive' in outer ? asFields(outer.interactive) : outer;
  const action = asFields(fields.action);
  const words = (value: unknown) => asText(value) || asText(asFields(value).text);
  const rows = asList(action.sections ?? fields.sections).flatMap(({ rows: list }) => asList(list));
  const buttons = asList(action.buttons ?? fields.buttons);
  return {
    kind: MENU_KINDS.find((kind) => kind === fields.kind) ?? null,
    header: words(fields.header),
    body: words(fields.body),
    footer: words(fields.footer),
    button: asText(fields.button),
    href: safeHref(asText(fields.url)),
    choices: [...buttons, ...rows, ...asList(fields.choices)]
      .map((choice) => ({
        title: titleOf(choice),
        description: asText(choice.description),
        section: asText(choice.section),
      }))
      .filter(({ title }) => title)
      .slice(0, MOST_CHOICES),
  };
}
