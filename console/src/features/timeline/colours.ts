const tokens = {
  surface: '--surface',
  sunken: '--sunken',
  line: '--line',
  recorded: '--line-strong',
  ink: '--ink',
  quiet: '--quiet',
  here: '--accent',
  onHere: '--on-accent',
  strong: '--accent-strong',
  warn: '--warn',
  bad: '--bad',
} as const;

export type Colours = Readonly<Record<keyof typeof tokens | 'font', string>> & {
  /** Text is larger on very large screens. */
  readonly scale: number;
};

/** The colours of the theme as it is now, for what is drawn rather than styled. */
export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const colours = Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()]);
  const font = style.getPropertyValue('--sans').trim();
  return { ...Object.fromEntries(colours), font, scale: Number.parseFloat(style.fontSize) / 16 } as Colours;
}

/** Told when the theme changes: by the system, or by the person. */
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
