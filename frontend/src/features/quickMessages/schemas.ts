import { z } from 'zod';

/** The form of a quick message (rules/library §1); its messages are translation keys. */
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
