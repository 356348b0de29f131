export type ColourMode = 'light' | 'dark';

const KEY = 'preferredTheme';

/** The theme chosen in this browser, otherwise the system's. */
export function currentColourMode(): ColourMode {
  const stored = localStorage.getItem(KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Applies a theme; public/theme.js does the same before the first paint. */
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
