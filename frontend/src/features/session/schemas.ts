import { z } from 'zod';

/** The login form; messages are keys of the session texts. */
export const credentialsSchema = z.object({
  email: z.string().trim().min(1, 'emailRequired').pipe(z.email('emailInvalid')),
  password: z.string().min(1, 'passwordRequired'),
});

export type Credentials = z.infer<typeof credentialsSchema>;
