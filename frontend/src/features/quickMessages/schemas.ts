import { z } from 'zod';

/** The quick-message form (rules/library §1); messages are keys of the texts. */
export const quickMessageSchema = z.object({
  shortcode: z
    .string()
    .transform((text) => text.trim().replace(/^\/+/, '').trim())
    .pipe(z.string().min(1, 'quickMessages:shortcodeRequired').max(50, 'field.tooLong')),
  message: z.string().max(4096, 'field.tooLong'),
  geral: z.boolean(),
  status: z.boolean(),
});

export type QuickMessageForm = z.infer<typeof quickMessageSchema>;
