import { z } from 'zod';

/** Messages are keys of the passwordReset texts; the rules are those of rules/accounts §11. */
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
    // Beside what else is wrong with the form, not after it.
    when: () => true,
  });

export type Ask = z.infer<typeof askSchema>;
export type NewPassword = z.infer<typeof newPasswordSchema>;

/** Letters and digits of a code, none of which is taken for another (rules/accounts §11). */
const CODE = /(?<![A-Z0-9])[A-HJKMNP-Z2-9]{8}(?![A-Z0-9])/;
const CODE_LENGTH = 8;

/** What is left of typed text in the field of the code. */
export const codeOf = (typed: string) =>
  typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, CODE_LENGTH);

/** The code in a pasted text, which may be the whole e-mail; case tells it from the words. */
export const codeIn = (pasted: string) => CODE.exec(pasted)?.[0] ?? codeOf(pasted);
