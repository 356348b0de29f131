/**
 * Templates with parts that the editor does not support (docs/decisions 12): they are only shown.
 */

import type { ShownButton, ShownTemplate } from '@/lib/templates/shown';
import { formOf, MOST, shownOf } from './form';
import type { Template } from './types';

type Part = Template['components'][number];

const HEADERS = ['', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'];
const PARTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'];
const KINDS: Readonly<Record<string, ShownButton['kind']>> = {
  URL: 'link',
  PHONE_NUMBER: 'phone',
  COPY_CODE: 'code',
  VOICE_CALL: 'phone',
  FLOW: 'form',
  CATALOG: 'catalog',
  MPM: 'catalog',
  SPM: 'catalog',
  OTP: 'code',
};

const word = (part: Part, key = 'type') =>
  typeof part[key] === 'string' ? part[key].toUpperCase() : '';
const buttonsOf = ({ components }: Template): Part[] =>
  components
    .flatMap(({ buttons }): unknown[] => (Array.isArray(buttons) ? buttons : []))
    .filter((each): each is Part => typeof each === 'object' && each !== null);

/** The unsupported parts of a template, by Meta's names. */
export function foreignParts(template: Template): string[] {
  const { components, category } = template;
  const found = [
    ...(category === 'AUTHENTICATION' ? [category] : []),
    ...components.map((part) => word(part)).filter((kind) => !PARTS.includes(kind)),
    ...components
      .filter((part) => word(part) === 'HEADER')
      .map((part) => word(part, 'format'))
      .filter((format) => !HEADERS.includes(format)),
    ...buttonsOf(template)
      .map((button) => word(button))
      .filter((kind) => !(kind in MOST)),
  ];
  return [...new Set(found.filter(Boolean))];
}

/** Any template as a phone shows it; `words` replace the texts that Meta adds itself. */
export function shownTemplate(
  template: Template,
  words: { code: string; location: string },
): ShownTemplate {
  const shown = shownOf(formOf(template), words.code);
  const isPlace = foreignParts(template).includes('LOCATION');
  // `formOf` puts quick replies first; a phone shows the stored order.
  const buttons = buttonsOf(template).map((button): ShownButton => {
    const kind = word(button);
    const text = typeof button.text === 'string' ? button.text : '';
    return {
      kind: KINDS[kind] ?? 'reply',
      text: text || (kind === 'COPY_CODE' ? words.code : kind),
      href: undefined,
    };
  });
  return {
    ...shown,
    header: isPlace ? { kind: 'location', text: words.location } : shown.header,
    buttons,
  };
}
