/** The addresses at which a film is played and watched, by its code (rules/announcements §5). */

const VIMEO = /^(\d{6,10})(?:\/([0-9a-f]{6,32}))?$/;

export type Provider = 'youtube' | 'vimeo';

/** Vimeo's codes are numbers of up to ten digits; YouTube's have eleven letters. */
export const providerOf = (video: string): Provider => (VIMEO.test(video) ? 'vimeo' : 'youtube');

/** The player's address: it starts automatically, at the user's request, and without cookies. */
export function playerAddress(video: string, language: string): string {
  const [, number, hash] = VIMEO.exec(video) ?? [];
  if (number !== undefined) {
    const query = new URLSearchParams({ autoplay: '1', dnt: '1', ...(hash && { h: hash }) });
    return `https://player.vimeo.com/video/${number}?${query}`;
  }
  const query = new URLSearchParams({ autoplay: '1', rel: '0', hl: language });
  return `https://www.youtube-nocookie.com/embed/${encodeURIComponent(video)}?${query}`;
}

/** The film's own page. */
export const watchAddress = (video: string) =>
  providerOf(video) === 'vimeo'
    ? `https://vimeo.com/${video}`
    : `https://www.youtube.com/watch?v=${encodeURIComponent(video)}`;
