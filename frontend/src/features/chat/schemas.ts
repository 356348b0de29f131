import { z } from 'zod';

/** The form of a chat (rules/chat §1); its messages are translation keys. */
export const chatSchema = z.object({
  title: z
    .string()
    .max(100, 'field.tooLong')
    .refine((value) => value.trim() !== '', 'chat:dialog.noTitle'),
  users: z.array(z.number()).min(1, 'chat:dialog.noUsers').max(200, 'chat:dialog.tooMany'),
});

export type ChatForm = z.infer<typeof chatSchema>;
