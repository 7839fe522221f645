import { signal } from '@preact/signals';

/** What stands first: the search in transcripts, or a page or device to go to. */
export type PaletteMode = 'search' | 'go';

export const paletteMode = signal<PaletteMode | undefined>(undefined);

export const openPalette = (mode: PaletteMode): void => void (paletteMode.value = mode);
export const closePalette = (): void => void (paletteMode.value = undefined);
