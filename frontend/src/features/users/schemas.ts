import { z } from 'zod';

const password = z
  .string()
  .max(50, 'field.tooLong')
  .refine((text) => text === '' || text.length >= 5, 'field.tooShort');

/** The user form (rules/accounts §1); its messages are keys of the common texts. */
export const userSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  email: z.string().trim().min(1, 'field.required').pipe(z.email('field.invalidEmail')),
  password,
  /** The key of a role. */
  role: z.string(),
  queueIds: z.array(z.number()),
  whatsappId: z.string(),
});

/**
 * To change the own password or e-mail the user must give the current password; `email` is the
 * stored one.
 */
export const ownUserSchema = (email: string) =>
  userSchema
    .extend({ currentPassword: z.string() })
    .refine(
      (form) =>
        form.currentPassword !== '' ||
        (form.password === '' && form.email.trim().toLowerCase() === email.toLowerCase()),
      {
        path: ['currentPassword'],
        message: 'field.required',
        // Validated together with the other fields, not only once they are valid.
        when: () => true,
      },
    );

/** A new user requires a password. */
export const newUserSchema = userSchema.extend({
  password: password.refine((text) => text !== '', 'field.required'),
});

export type UserForm = z.infer<typeof userSchema> & { currentPassword?: string };
