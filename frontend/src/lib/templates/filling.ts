/** The slots of a template and its filled parts: pure functions that match the server's. */

import type { components } from '@/lib/api/schema';
import { foldLetters } from '../search';
import { asList, asText, buttonOf, typeOf, type MediaKind, type ShownTemplate } from './shown';

export type Template = components['schemas']['Template'];
type Part = Record<string, unknown>;

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;
const FORMATS: Readonly<Record<string, MediaKind>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};

/** One value to be typed. `field` is its name in the server's refusals. */
export interface Slot {
  field: string;
  place: 'header' | 'body' | 'button';
  kind: 'text' | 'url' | 'code';
  name: string;
  /** Only for a button: its index and label. */
  index: number;
  label: string;
  example: string;
}

/**
 * The names of the variables in a text: numbers in ascending order, other names in order of
 * appearance.
 */
export function variablesIn(text: string): string[] {
  const names = [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
  return names.every((name) => /^\d+$/.test(name))
    ? names.sort((left, right) => Number(left) - Number(right))
    : names;
}

function examplesOf(part: Part, place: 'header' | 'body'): Record<string, string> {
  const example = (part.example ?? {}) as Part;
  const named = asList(example[`${place}_text_named_params`]);
  if (named.length > 0) {
    return Object.fromEntries(
      named.map((row) => [asText(row.param_name), asText(row.example)] as const),
    );
  }
  const listed: unknown = example[`${place}_text`];
  const first: unknown = Array.isArray(listed) && Array.isArray(listed[0]) ? listed[0] : listed;
  const values = Array.isArray(first) ? first.map(asText) : [];
  return Object.fromEntries(values.map((value, index) => [String(index + 1), value] as const));
}

function textSlots(part: Part, place: 'header' | 'body'): Slot[] {
  const examples = examplesOf(part, place);
  return variablesIn(asText(part.text)).map((name) => ({
    field: `${place}.${name}`,
    place,
    kind: 'text',
    name,
    index: 0,
    label: '',
    example: examples[name] ?? '',
  }));
}

const SLOT_OF_BUTTON: Readonly<Record<string, Slot['kind']>> = {
  URL: 'url',
  COPY_CODE: 'code',
  OTP: 'code',
};

/** The end of the example address, which replaces the variable. */
function endOf(url: string, example: string): string {
  const start = url.slice(0, url.indexOf('{{'));
  return example.startsWith(start) ? example.slice(start.length) : example;
}

function buttonSlots(part: Part): Slot[] {
  return asList(part.buttons).flatMap((button, index) => {
    const kind = SLOT_OF_BUTTON[typeOf(button)];
    const url = asText(button.url);
    if (!kind || (kind === 'url' && variablesIn(url).length === 0)) return [];
    const given: unknown = Array.isArray(button.example) ? button.example[0] : button.example;
    const example = kind === 'url' ? endOf(url, asText(given)) : asText(given);
    const label = asText(button.text);
    return [
      {
        field: `buttons.${index}`,
        place: 'button',
        kind,
        name: '',
        index,
        label,
        example,
      } as const,
    ];
  });
}

/** All values to be typed, in the order in which the contact reads them. */
export const slotsOf = (template: Template): Slot[] =>
  template.components.flatMap((part) => {
    switch (typeOf(part)) {
      case 'HEADER':
        return mediaOf(template) ? [] : textSlots(part, 'header');
      case 'BODY':
        return textSlots(part, 'body');
      case 'BUTTONS':
        return buttonSlots(part);
      default:
        return [];
    }
  });

/** The kind of file that the header asks for. */
export function mediaOf(template: Template): MediaKind | null {
  const header = template.components.find((part) => typeOf(part) === 'HEADER');
  return (header && FORMATS[typeOf(header, 'format')]) ?? null;
}

type Values = Readonly<Record<string, string>>;

/** A text with its variables filled in; a variable without a value keeps its braces. */
export const filledText = (text: string, place: string, values: Values) =>
  text.replace(VARIABLE, (braces, name: string) => values[`${place}.${name}`]?.trim() || braces);

export interface HeaderFile {
  kind: MediaKind;
  id: string;
  name: string;
  /** The address at which the browser can show the file. */
  url: string | undefined;
}

/** The template as the contact will see it. */
export function filledTemplate(
  template: Template,
  values: Values,
  file: HeaderFile | null,
): ShownTemplate {
  const shown: ShownTemplate = { header: null, body: '', footer: '', buttons: [] };
  const kind = mediaOf(template);
  for (const part of template.components) {
    const text = asText(part.text);
    switch (typeOf(part)) {
      case 'HEADER':
        if (kind) shown.header = { kind, url: file?.url, name: file?.name ?? '' };
        else if (text) shown.header = { kind: 'text', text: filledText(text, 'header', values) };
        break;
      case 'BODY':
        shown.body = filledText(text, 'body', values);
        break;
      case 'FOOTER':
        shown.footer = text;
        break;
      case 'BUTTONS':
        shown.buttons = asList(part.buttons).map((button) => ({
          ...buttonOf(button),
          // Links are inactive before the template is sent.
          href: undefined,
        }));
    }
  }
  return shown;
}

/** The `components` of the call: Meta's own form of a send. */
export function sentComponents(template: Template, values: Values, file: HeaderFile | null) {
  const named = template.parameter_format === 'NAMED';
  const sent: Part[] = [];
  if (file) {
    const content = { id: file.id, ...(file.kind === 'document' && { filename: file.name }) };
    sent.push({ type: 'header', parameters: [{ type: file.kind, [file.kind]: content }] });
  }
  const slots = slotsOf(template);
  for (const place of ['header', 'body'] as const) {
    const parameters = slots
      .filter((slot) => slot.place === place)
      .map(({ field, name }) => ({
        type: 'text',
        text: values[field]?.trim() ?? '',
        ...(named && { parameter_name: name }),
      }));
    if (parameters.length > 0) sent.push({ type: place, parameters });
  }
  for (const { place, kind, index, field } of slots) {
    if (place !== 'button') continue;
    const text = values[field]?.trim() ?? '';
    const isCoupon = kind === 'code' && !isOtp(template, index);
    sent.push({
      type: 'button',
      sub_type: isCoupon ? 'copy_code' : 'url',
      index: String(index),
      parameters: [isCoupon ? { type: 'coupon_code', coupon_code: text } : { type: 'text', text }],
    });
  }
  return sent;
}

function isOtp(template: Template, index: number): boolean {
  const part = template.components.find((each) => typeOf(each) === 'BUTTONS');
  return typeOf(asList(part?.buttons)[index] ?? {}) === 'OTP';
}

const GREETING =
  /^[*_~\s]*(?:(?:ol[áa]|oi|opa|bom dia|boa tarde|boa noite|hello|hi|hola)[\s,!]*\{\{\s*1\s*\}\}|\{\{\s*1\s*\}\}\s*,)/i;
const CONTACT_NAMES =
  /^(?:nome|name|first_?name|primeiro_?nome|cliente|customer(?:_name)?|nombre)$/i;
const AGENT_NAMES = /^(?:atendente|agent(?:e)?|vendedor|consultor)$/i;

/**
 * Suggests the values that are almost certain: a contact's name after a greeting, the user's own
 * name.
 */
export function suggestions(
  template: Template,
  people: { contact: string; user: string },
): Record<string, string> {
  const first = (name: string) =>
    /^\+?[\d\s()-]+$/.test(name) ? '' : (name.split(/\s+/)[0] ?? '');
  const found: Record<string, string> = {};
  for (const { field, place, kind, name } of slotsOf(template)) {
    if (kind !== 'text') continue;
    const part = template.components.find((each) => typeOf(each) === place.toUpperCase());
    const greets = name === '1' && GREETING.test(asText(part?.text));
    if (greets || CONTACT_NAMES.test(name)) found[field] = first(people.contact);
    else if (AGENT_NAMES.test(name)) found[field] = people.user;
  }
  return found;
}

export interface TemplateFilter {
  search: string;
  category: string;
  language: string;
}

/** The templates that match the filter, those that can be sent first. */
export function matching(templates: readonly Template[], filter: TemplateFilter): Template[] {
  const words = foldLetters(filter.search).split(/\s+/).filter(Boolean);
  return templates
    .filter(
      ({ category, language }) =>
        (!filter.category || category === filter.category) &&
        (!filter.language || language === filter.language),
    )
    .filter((template) => {
      if (words.length === 0) return true;
      const texts = template.components.map((part) => asText(part.text));
      const text = foldLetters(
        [template.name, template.name.replace(/_/g, ' '), ...texts].join(' '),
      );
      return words.every((word) => text.includes(word));
    })
    .sort((left, right) => Number(right.canBeSent) - Number(left.canBeSent));
}

export const keyOf = ({ id, name, language }: Template) => id || `${name}/${language}`;
