import { z } from 'zod';

/** The form of the address; messages are keys of the passwordReset texts (rules/accounts §11). */
export const askSchema = z.object({
  email: z.string().trim().min(1, 'emailRequired').pipe(z.email('emailInvalid')),
});

const strong = (text: string) =>
  text.length >= 8 && /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text) && /\p{Nd}/u.test(text);

export const newPasswordSchema = z
  .object({
    code: z.string().min(1, 'required'),
    password: z
      .string()
      .min(1, 'required')
      .max(50, 'tooLong')
      .refine((text) => text === '' || strong(text), 'weak'),
    confirmation: z.string().min(1, 'required'),
  })
  .refine((form) => form.confirmation === '' || form.confirmation === form.password, {
    path: ['confirmation'],
    message: 'differs',
    // Validated together with the other fields, not only once they are valid.
    when: () => true,
  });

export type Ask = z.infer<typeof askSchema>;
export type NewPassword = z.infer<typeof newPasswordSchema>;

/** A code: letters and digits that cannot be confused with each other (rules/accounts §11). */
const CODE = /(?<![A-Z0-9])[A-HJKMNP-Z2-9]{8}(?![A-Z0-9])/;
const CODE_LENGTH = 8;

/** Reduces typed text to the characters of a code. */
export const codeOf = (typed: string) =>
  typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, CODE_LENGTH);

/** Finds the code in pasted text, which may be the whole e-mail; only the code is in upper case. */
export const codeIn = (pasted: string) => CODE.exec(pasted)?.[0] ?? codeOf(pasted);
