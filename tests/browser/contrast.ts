import type { Page } from 'playwright-core';

/**
 * Texts with too little contrast in the theme that is not shown. A theme changes colours only, and axe checks the one
 * that is shown, so this is what is left; axe would take as long as for a whole page. Without a second paint.
 */
export function otherThemeFaults(page: Page, part: string): Promise<readonly string[]> {
  return page.evaluate((selector) => {
    const root = document.documentElement;
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const other = isDark ? 'light' : 'dark';

    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
    const colours = new Map<string, Colour>();
    /** Also for forms such as `color(srgb …)`, which `color-mix` becomes. */
    const read = (text: string): Colour => {
      const known = colours.get(text);
      if (known) return known;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      const colour = [red, green, blue, alpha / 255] as const;
      colours.set(text, colour);
      return colour;
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (at: 0 | 1 | 2) => top[at] * top[3] + below[at] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const luminance = ([red, green, blue]: Colour): number => {
      const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const backgrounds = new Map<Element, Colour>();
    const backgroundOf = (element: Element | null): Colour => {
      if (element === null) return read('Canvas');
      const known = backgrounds.get(element);
      if (known) return known;
      const found = over(read(getComputedStyle(element).backgroundColor), backgroundOf(element.parentElement));
      backgrounds.set(element, found);
      return found;
    };
    const hasText = (element: Element): boolean =>
      element.matches('input, textarea, select') ||
      [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    const isExempt = (element: Element): boolean =>
      element.closest(':disabled, [aria-disabled=true], [aria-hidden=true], .unseen, option, [hidden]') !== null ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

    const texts = [...document.querySelectorAll(`${selector} *`)].filter((one) => hasText(one) && !isExempt(one));
    root.dataset['theme'] = other;
    const faults = new Set<string>();
    for (const element of texts) {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const below = backgroundOf(element);
      const lights = [luminance(over(read(color), below)), luminance(below)];
      const ratio = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
      const size = Number.parseFloat(fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
      const name = `${element.tagName.toLowerCase()}.${element.className}`;
      if (ratio < least)
        faults.add(`${other}: contrast ${ratio.toFixed(2)} of ${color} on ${below.join(' ')}: ${name}`);
    }
    delete root.dataset['theme'];
    return [...faults];
  }, part);
}
