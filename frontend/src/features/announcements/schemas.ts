import { z } from 'zod';

const text = (most: number) =>
  z
    .string()
    .max(most, 'field.tooLong')
    .refine((value) => value.trim() !== '', 'announcements:fields.required');

/** The form of an announcement (rules/announcements §1); messages are keys of the texts. */
export const announcementSchema = z.object({
  title: text(200),
  text: text(10_000),
  priority: z.enum(['1', '2', '3']),
  status: z.boolean(),
});

export type AnnouncementForm = z.infer<typeof announcementSchema>;
