/** Unsent texts for each user and chat, kept across reloads. */

const keyOf = (userId: number, chatId: number) => `chatDraft:${userId}:${chatId}`;

export const readDraft = (userId: number, chatId: number): string =>
  localStorage.getItem(keyOf(userId, chatId)) ?? '';

export function writeDraft(userId: number, chatId: number, text: string) {
  if (text) localStorage.setItem(keyOf(userId, chatId), text);
  else localStorage.removeItem(keyOf(userId, chatId));
}
