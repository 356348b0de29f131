/** The template of a campaign: its form values, converted from and to Meta's form of a send. */

import {
  sentComponents,
  slotsOf,
  mediaOf,
  type HeaderFile,
  type Slot,
} from '@/lib/templates/filling';
import type { Template } from '@/features/templates/api';

type Part = Record<string, unknown>;

const asPart = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
const asParts = (value: unknown): Part[] => (Array.isArray(value) ? value.map(asPart) : []);
const asText = (value: unknown) => (typeof value === 'string' ? value : '');

export interface TemplateChoice {
  /** Null for none. */
  template: Template | null;
  /** The typed values, by the slots' fields. */
  values: Readonly<Record<string, string>>;
  file: HeaderFile | null;
}

export const NO_TEMPLATE: TemplateChoice = { template: null, values: {}, file: null };

export const keyOf = ({ name, language }: Pick<Template, 'name' | 'language'>) =>
  `${name} ${language}`;

/** The templates that can be sent to many: not authentication codes, which are for one person. */
export const offeredTemplates = (templates: readonly Template[]) =>
  templates.filter(({ canBeSent, category }) => canBeSent && category !== 'AUTHENTICATION');

function storedValue(slot: Slot, place: number, components: readonly Part[]): string {
  if (slot.place === 'button') {
    const part = components.find(
      ({ type, index }) => type === 'button' && asText(index) === String(slot.index),
    );
    const [parameter] = asParts(part?.parameters);
    return asText(parameter?.coupon_code) || asText(parameter?.text);
  }
  const parameters = asParts(components.find(({ type }) => type === slot.place)?.parameters);
  const named = parameters.find(({ parameter_name: name }) => name === slot.name);
  return asText((named ?? parameters[place])?.text);
}

/** Converts a campaign's stored template to form values. */
export function storedChoice(template: Template, stored: unknown): TemplateChoice {
  const components = asParts(stored);
  const slots = slotsOf(template);
  const values = Object.fromEntries(
    slots.map((slot) => {
      const beside = slots.filter(({ place }) => place === slot.place);
      return [slot.field, storedValue(slot, beside.indexOf(slot), components)];
    }),
  );
  return { template, values, file: storedFile(template, components) };
}

function storedFile(template: Template, components: readonly Part[]): HeaderFile | null {
  const kind = mediaOf(template);
  const [parameter] = asParts(components.find(({ type }) => type === 'header')?.parameters);
  const file = kind && asPart(parameter?.[kind]);
  const id = asText(file?.id);
  return kind && id ? { kind, id, name: asText(file?.filename), url: undefined } : null;
}

/** The wire's three fields of a choice. */
export const templateFields = ({ template, values, file }: TemplateChoice) =>
  template
    ? {
        templateName: template.name,
        templateLanguage: template.language,
        templateComponents: sentComponents(template, values, file),
      }
    : { templateName: null, templateLanguage: null, templateComponents: [] };

/** The fields that are still empty; 'file' for the header's. */
export function missingIn({ template, values, file }: TemplateChoice): string[] {
  if (!template) return [];
  const empty = slotsOf(template).filter(({ field }) => !values[field]?.trim());
  return [...(mediaOf(template) && !file ? ['file'] : []), ...empty.map(({ field }) => field)];
}
