import { z } from 'zod';

/** The form of a file list (rules/library §5); messages are keys of the texts. */
export const fileListSchema = z.object({
  name: z
    .string()
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(1, 'field.required')
        .min(3, 'fileLists:fields.nameTooShort')
        .max(100, 'field.tooLong'),
    ),
  message: z
    .string()
    .max(4096, 'field.tooLong')
    .refine((text) => text.trim() !== '', 'field.required'),
});

export type FileListForm = z.infer<typeof fileListSchema>;
