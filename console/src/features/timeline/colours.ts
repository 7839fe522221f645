const tokens = {
  surface: '--surface',
  sunken: '--sunken',
  line: '--line',
  recorded: '--line-strong',
  ink: '--ink',
  quiet: '--quiet',
  here: '--accent',
  onAvailable: '--on-accent',
  strong: '--accent-strong',
  warn: '--warn',
  bad: '--bad',
} as const;

export type Colours = Readonly<Record<keyof typeof tokens | 'font', string>> & {
  /** Text scale: text is larger on very large screens. */
  readonly scale: number;
};

/** The colours of the current theme, for drawing on a canvas. */
export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const colours = Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()]);
  const font = style.getPropertyValue('--sans').trim();
  return { ...Object.fromEntries(colours), font, scale: Number.parseFloat(style.fontSize) / 16 } as Colours;
}

/** Calls back when the theme changes, by the system or the user. */
export function onThemeChange(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(changed);
  system.addEventListener('change', changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', changed);
    chosen.disconnect();
  };
}
