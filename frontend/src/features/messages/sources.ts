import { Bot, CalendarClock, Code, Sparkles, Workflow, type LucideIcon } from 'lucide-react';
import type { Message } from './types';

/** The automatic senders; their names are `messages:sources.<source>`. */
export const SOURCE_ICONS = {
  bot: Bot,
  integration: Workflow,
  ai: Sparkles,
  api: Code,
  schedule: CalendarClock,
} as const satisfies Partial<Record<Message['source'], LucideIcon>>;

export type AutomaticSource = keyof typeof SOURCE_ICONS;

/** Whether the message was sent automatically, not typed by a user. */
export const isAutomatic = (source: Message['source']): source is AutomaticSource =>
  source in SOURCE_ICONS;
