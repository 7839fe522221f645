/** `auto` follows the system. */
export type Theme = 'auto' | 'light' | 'dark';

const storageKey = 'earshot-theme';

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    // Storage may be blocked.
    return 'auto';
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  // The colour around the page on a phone.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.dataset['theme'];
    meta.media = theme === 'auto' ? `(prefers-color-scheme: ${own})` : theme === own ? 'all' : 'not all';
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  applyTheme(theme);
}
