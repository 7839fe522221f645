import { signal } from '@preact/signals';

/** Shortcuts of the current page. */
export const pageKeys = signal<readonly (readonly [keys: string, meaning: string])[]>([]);

/** Checkboxes and buttons do not accept text. */
const takesText = 'textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])';

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(takesText));
