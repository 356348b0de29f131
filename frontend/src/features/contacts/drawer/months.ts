import type { GalleryMessage } from './types';

/** Groups messages by the names of their months, in their order. */
export function byMonth(
  messages: readonly GalleryMessage[],
  language: string,
): [string, GalleryMessage[]][] {
  const words = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  const months = new Map<string, GalleryMessage[]>();
  for (const message of messages) {
    const name = words.format(new Date(message.createdAt));
    const month = name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
    months.set(month, [...(months.get(month) ?? []), message]);
  }
  return [...months];
}
