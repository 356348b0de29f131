import { z } from 'zod';

/** The tag form (rules/contacts §8); messages are keys of the texts. */
export const tagSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'tags:nameRequired')
    .min(3, 'tags:nameShort')
    .max(100, 'field.tooLong'),
  color: z
    .string()
    .trim()
    .regex(/^#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'tags:colorInvalid'),
  kanban: z.boolean(),
});

export type TagForm = z.infer<typeof tagSchema>;
