import {
  Bot,
  CalendarClock,
  Code,
  Sparkles,
  Waypoints,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { Message } from './types';

/** The automatic senders, and other responders of the number; their names are `messages:sources.<source>`. */
export const SOURCE_ICONS = {
  bot: Bot,
  integration: Workflow,
  ai: Sparkles,
  api: Code,
  schedule: CalendarClock,
  other: Waypoints,
} as const satisfies Partial<Record<Message['source'], LucideIcon>>;

export type AutomaticSource = keyof typeof SOURCE_ICONS;

/** Whether the message was not typed by a user. */
export const isAutomatic = (source: Message['source']): source is AutomaticSource =>
  source in SOURCE_ICONS;
