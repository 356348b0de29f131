export type ColourMode = 'light' | 'dark';

const KEY = 'preferredTheme';

/** What the person chose in this browser, else what the system prefers. */
export function currentColourMode(): ColourMode {
  const stored = localStorage.getItem(KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Paints a theme; public/theme.js does the same before the first paint. */
export function applyColourMode(mode: ColourMode) {
  const root = document.documentElement;
  root.classList.toggle('dark', mode === 'dark');
  root.style.colorScheme = mode;
  root.style.backgroundColor = '';
}

export function storeColourMode(mode: ColourMode) {
  localStorage.setItem(KEY, mode);
  applyColourMode(mode);
}
