import * as z from 'zod/mini';

/**
 * The login form; messages are keys of the session texts. zod/mini here and only here: the
 * login page is the first thing that loads.
 */
export const credentialsSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'emailRequired'), z.email('emailInvalid')),
  password: z.string().check(z.minLength(1, 'passwordRequired')),
});

export type Credentials = z.infer<typeof credentialsSchema>;
