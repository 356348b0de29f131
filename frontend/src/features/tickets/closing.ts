import type { Contact, ContactInput } from '@/features/contacts/api';
import { foldText } from '@/lib/search';

const EMAIL = new Set(['email', 'e-mail']);

/** Whether a required field is the contact's own e-mail. */
export const isEmail = (field: string) => EMAIL.has(foldText(field));

type Known = Pick<Contact, 'name' | 'email' | 'extraInfo'>;

/** The required fields that a contact lacks. */
export const missingOf = (contact: Known, fields: readonly string[]): string[] =>
  fields.filter((field) =>
    isEmail(field)
      ? !contact.email
      : !contact.extraInfo.some(
          ({ name, value }) => foldText(name) === foldText(field) && value?.trim(),
        ),
  );

/** The change of a contact that fills in fields; an empty line of that name gets the value. */
export function filledIn(contact: Known, values: Readonly<Record<string, string>>): ContactInput {
  const email = Object.entries(values).find(([field]) => isEmail(field))?.[1];
  const others = Object.entries(values).filter(([field]) => !isEmail(field));
  const kept = contact.extraInfo.map((line) => {
    const value = others.find(([field]) => foldText(field) === foldText(line.name))?.[1];
    return value !== undefined && !line.value?.trim() ? { ...line, value } : line;
  });
  const added = others.filter(
    ([field]) => !contact.extraInfo.some(({ name }) => foldText(name) === foldText(field)),
  );
  return {
    name: contact.name,
    ...(email !== undefined && { email: email.trim() }),
    ...(others.length > 0 && {
      extraInfo: [...kept, ...added.map(([name, value]) => ({ name, value }))],
    }),
  };
}
