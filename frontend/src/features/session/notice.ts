const KEY = 'signedOutNotice';

/** Leaves a sentence for the login page that the reload leads to. */
export const leaveSignOutNotice = (sentence: string) => sessionStorage.setItem(KEY, sentence);

/** Why the last session of this tab ended; told once. */
export function takeSignOutNotice(): string | null {
  const sentence = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return sentence;
}
