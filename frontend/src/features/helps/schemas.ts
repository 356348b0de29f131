import { z } from 'zod';
import type { Help } from './types';

/** The form of a help (rules/announcements §5); the server validates the video's address. */
export const helpSchema = z.object({
  title: z.string().trim().min(1, 'field.required').max(200, 'field.tooLong'),
  video: z.string().trim().min(1, 'field.required').max(2000, 'field.tooLong'),
  description: z.string().max(2000, 'field.tooLong'),
});

export type HelpForm = z.infer<typeof helpSchema>;

export const helpValues = (help: Help | null): HelpForm => ({
  title: help?.title ?? '',
  video: help?.video ?? '',
  description: help?.description ?? '',
});
