/** The editable form of a template, with the limits that the server also checks. */

import type { MediaKind, ShownTemplate } from '@/lib/templates/shown';
import type { ButtonKind, Template, TemplateInput } from './types';

type Part = Record<string, unknown>;

export const LIMITS = { name: 512, header: 60, body: 1024, footer: 60, button: 25, buttons: 10 };
const URL_LENGTH = 2000;
const PHONE_LENGTH = 20;
const CODE_LENGTH = 20;
/** The maximum number of buttons of each type. */
export const MOST: Readonly<Record<ButtonKind, number>> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
};
/** Meta allows changes only in these statuses. */
const EDITABLE = ['APPROVED', 'REJECTED', 'PAUSED'];

export type HeaderFormat = '' | 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT';

export interface TemplateFormButton {
  type: ButtonKind;
  text: string;
  url: string;
  phone: string;
  example: string;
}

export interface TemplateForm {
  name: string;
  language: string;
  category: 'UTILITY' | 'MARKETING';
  named: boolean;
  headerFormat: HeaderFormat;
  headerText: string;
  /** The sample file's handle at Meta. */
  handle: string;
  fileName: string;
  /** The sample file's URL in this browser. */
  fileUrl: string;
  body: string;
  footer: string;
  buttons: TemplateFormButton[];
  /** Sample values by part and variable: 'body.1', 'header.cliente'. */
  samples: Record<string, string>;
}

export const emptyForm = (language: string): TemplateForm => ({
  name: '',
  language,
  category: 'UTILITY',
  named: false,
  headerFormat: '',
  headerText: '',
  handle: '',
  fileName: '',
  fileUrl: '',
  body: '',
  footer: '',
  buttons: [],
  samples: {},
});

export const newButton = (type: ButtonKind): TemplateFormButton => ({
  type,
  text: '',
  url: '',
  phone: '',
  example: '',
});

/** Meta requires the quick replies to be adjacent, so they come first. */
export const inOrder = (buttons: readonly TemplateFormButton[]): TemplateFormButton[] => [
  ...buttons.filter(({ type }) => type === 'QUICK_REPLY'),
  ...buttons.filter(({ type }) => type !== 'QUICK_REPLY'),
];

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;

/** The names of a text's variables: numbers sorted, other names in order of appearance. */
export function variablesIn(text: string): string[] {
  const names = [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
  return names.every((name) => /^\d+$/.test(name))
    ? names.sort((left, right) => Number(left) - Number(right))
    : names;
}

/** All variables that need a sample, as 'part.name'. */
export const variablesOf = (form: TemplateForm): string[] => [
  ...(form.headerFormat === 'TEXT' ? variablesIn(form.headerText).map((n) => `header.${n}`) : []),
  ...variablesIn(form.body).map((name) => `body.${name}`),
];

/** The name of the next variable in a text. */
export function nextVariable(text: string, named: boolean): string {
  const names = variablesIn(text);
  if (!named) return String(names.length + 1);
  let count = names.length + 1;
  while (names.includes(`variavel_${count}`)) count += 1;
  return `variavel_${count}`;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const parts = (value: unknown): Part[] =>
  Array.isArray(value)
    ? value.filter((each): each is Part => typeof each === 'object' && each !== null)
    : [];
const typeOf = (part: Part, key = 'type') => text(part[key]).toUpperCase();

function samplesOf(part: Part, place: 'header' | 'body'): Record<string, string> {
  const example = (part.example ?? {}) as Part;
  const named = parts(example[`${place}_text_named_params`]);
  if (named.length > 0)
    return Object.fromEntries(
      named.map((row) => [`${place}.${text(row.param_name)}`, text(row.example)]),
    );
  const listed: unknown = example[`${place}_text`];
  const first: unknown = Array.isArray(listed) && Array.isArray(listed[0]) ? listed[0] : listed;
  return Object.fromEntries(
    (Array.isArray(first) ? first : []).map((value, index) => [
      `${place}.${index + 1}`,
      text(value),
    ]),
  );
}

function buttonOf(part: Part): TemplateFormButton {
  const url = text(part.url);
  const given: unknown = Array.isArray(part.example) ? part.example[0] : part.example;
  const fixed = url.replace('{{1}}', '');
  const example = text(given);
  const type = typeOf(part);
  return {
    type: type === 'URL' || type === 'PHONE_NUMBER' || type === 'COPY_CODE' ? type : 'QUICK_REPLY',
    text: text(part.text),
    url,
    phone: text(part.phone_number),
    example: example.startsWith(fixed) ? example.slice(fixed.length) : example,
  };
}

/**
 * The form values of a template. Its sample file must be uploaded again: Meta does not return the
 * handle.
 */
export function formOf(template: Template): TemplateForm {
  const form: TemplateForm = {
    ...emptyForm(template.language),
    name: template.name,
    category: template.category === 'MARKETING' ? 'MARKETING' : 'UTILITY',
    named: template.parameter_format === 'NAMED',
  };
  for (const part of template.components) {
    switch (typeOf(part)) {
      case 'HEADER':
        form.headerFormat = (typeOf(part, 'format') || 'TEXT') as HeaderFormat;
        form.headerText = text(part.text);
        Object.assign(form.samples, samplesOf(part, 'header'));
        break;
      case 'BODY':
        form.body = text(part.text);
        Object.assign(form.samples, samplesOf(part, 'body'));
        break;
      case 'FOOTER':
        form.footer = text(part.text);
        break;
      case 'BUTTONS':
        form.buttons = inOrder(parts(part.buttons).map(buttonOf));
    }
  }
  return form;
}

const isPlain = ({ components, category, supported }: Template) =>
  supported &&
  category !== 'AUTHENTICATION' &&
  components.every(
    (part) =>
      (typeOf(part) !== 'HEADER' ||
        ['', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'].includes(typeOf(part, 'format'))) &&
      parts(part.buttons).every((button) => typeOf(button) in MOST),
  );

/** Whether the editor supports all parts of the template. */
export const canBeCopied = isPlain;
export const canBeEdited = (template: Template) =>
  isPlain(template) && Boolean(template.id) && EDITABLE.includes(template.status);

/** A validation error: a key of the texts under `faults`, with its limit. */
export interface Fault {
  key: string;
  limit?: number;
}

type Faults = Record<string, Fault>;

function checkVariables(
  form: TemplateForm,
  place: 'header' | 'body',
  words: string,
  faults: Faults,
) {
  const names = variablesIn(words);
  const set = (key: string) => (faults[place] ??= { key });
  if (/\{\{|\}\}/.test(words.replace(VARIABLE, ''))) set('braces');
  if (form.named) {
    if (!names.every((name) => /^[a-z][a-z0-9_]*$/.test(name))) set('named');
  } else if (names.some((name, index) => name !== String(index + 1))) set('numbered');
  for (const name of names)
    if (!form.samples[`${place}.${name}`]?.trim())
      faults[`samples.${place}.${name}`] = { key: 'sample' };
}

function buttonFault({ type, text: words, url, phone, example }: TemplateFormButton): Fault | null {
  if (type !== 'COPY_CODE') {
    if (!words.trim()) return { key: 'buttonText' };
    if (words.length > LIMITS.button) return { key: 'long', limit: LIMITS.button };
    if (/\{\{|\}\}/.test(words)) return { key: 'noVariables' };
  }
  switch (type) {
    case 'URL': {
      const fixed = url.endsWith('{{1}}') ? url.slice(0, -5) : url;
      if (!/^https?:\/\/[^\s{}]+$/.test(fixed)) return { key: 'url' };
      if (url.length > URL_LENGTH) return { key: 'long', limit: URL_LENGTH };
      return fixed !== url && !example.trim() ? { key: 'urlExample' } : null;
    }
    case 'PHONE_NUMBER':
      return /^\+?[0-9][0-9 ()-]{4,}$/.test(phone) && phone.length <= PHONE_LENGTH
        ? null
        : { key: 'phone' };
    case 'COPY_CODE':
      return /^[0-9A-Za-z]+$/.test(example) && example.length <= CODE_LENGTH
        ? null
        : { key: 'code', limit: CODE_LENGTH };
    case 'QUICK_REPLY':
      return null;
  }
}

/** What Meta would refuse, by the field names of the server's errors. */
export function faultsOf(form: TemplateForm): Faults {
  const faults: Faults = {};
  if (!/^[a-z0-9_]+$/.test(form.name)) faults.name = { key: 'name' };
  if (!form.language) faults.language = { key: 'language' };
  if (form.headerFormat === 'TEXT') {
    if (!form.headerText.trim()) faults.header = { key: 'required' };
    else if (form.headerText.length > LIMITS.header)
      faults.header = { key: 'long', limit: LIMITS.header };
    else if (variablesIn(form.headerText).length > 1) faults.header = { key: 'oneVariable' };
    checkVariables(form, 'header', form.headerText, faults);
  } else if (form.headerFormat && !form.handle) faults.headerFile = { key: 'file' };
  const body = form.body.trim();
  if (!body) faults.body = { key: 'required' };
  else if (form.body.length > LIMITS.body) faults.body = { key: 'long', limit: LIMITS.body };
  else if (/^\{\{\s*\w+\s*\}\}|\{\{\s*\w+\s*\}\}$/.test(body)) faults.body = { key: 'edge' };
  checkVariables(form, 'body', form.body, faults);
  if (form.footer.length > LIMITS.footer) faults.footer = { key: 'long', limit: LIMITS.footer };
  else if (/\{\{|\}\}/.test(form.footer)) faults.footer = { key: 'noVariables' };
  form.buttons.forEach((button, index) => {
    const fault = buttonFault(button);
    if (fault) faults[`buttons.${index}`] = fault;
  });
  const words = form.buttons.map((button) => button.text.trim()).filter(Boolean);
  if (new Set(words).size < words.length) faults.buttons = { key: 'sameButtons' };
  return faults;
}

/** The request body of a template. */
export function inputOf(form: TemplateForm): TemplateInput {
  return {
    name: form.name,
    language: form.language,
    category: form.category,
    parameterFormat: form.named ? 'NAMED' : 'POSITIONAL',
    header: form.headerFormat
      ? {
          format: form.headerFormat,
          text: form.headerFormat === 'TEXT' ? form.headerText : '',
          handle: form.headerFormat === 'TEXT' ? '' : form.handle,
        }
      : null,
    body: form.body,
    footer: form.footer,
    buttons: form.buttons,
    samples: variablesOf(form).map((field) => ({ field, value: form.samples[field] ?? '' })),
  };
}

/** Delimiters around a variable's value, so that the preview can highlight it. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];
const MARKED = /\uE000([^\uE000\uE001]*)\uE001/;
const MARKS = /[\uE000\uE001]/g;

/** Splits a preview's text: plain text and variables' values alternate. */
export const aroundSamples = (words: string): string[] => words.split(MARKED);

export const withoutMarks = (words: string): string => words.replace(MARKS, '');

const filled = (words: string, place: string, samples: TemplateForm['samples'], marks: boolean) =>
  words.replace(VARIABLE, (braces, name: string) => {
    const value = samples[`${place}.${name}`]?.trim() || braces;
    return marks ? `${OPEN}${value}${CLOSE}` : value;
  });

const MEDIA: Partial<Record<HeaderFormat, MediaKind>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};
const KINDS = {
  QUICK_REPLY: 'reply',
  URL: 'link',
  PHONE_NUMBER: 'phone',
  COPY_CODE: 'code',
} as const;

/** The template as a phone shows it, with samples filled in and delimited. */
export function shownOf(form: TemplateForm, codeLabel: string): ShownTemplate {
  const media = MEDIA[form.headerFormat];
  const { samples } = form;
  return {
    header: media
      ? { kind: media, url: form.fileUrl || undefined, name: form.fileName }
      : form.headerFormat === 'TEXT' && form.headerText
        ? { kind: 'text', text: filled(form.headerText, 'header', samples, false) }
        : null,
    body: filled(form.body, 'body', samples, true),
    footer: form.footer,
    buttons: form.buttons.map(({ type, text: words }) => ({
      kind: KINDS[type],
      text: type === 'COPY_CODE' ? codeLabel : words,
      href: undefined,
    })),
  };
}
