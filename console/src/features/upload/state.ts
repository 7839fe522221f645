import { signal } from '@preact/signals';
import type { UploadItem } from './item.ts';

/* What every page shows of uploads. The code that sends them is loaded when it is needed. */

export const uploadItems = signal<readonly UploadItem[]>([]);
export const isPaused = signal(false);
/** The device of files that are added. Undefined: the user must choose. */
export const uploadDeviceID = signal<number | undefined>(undefined);
/** After an undo the user chooses again, even if there is only one device. */
export const mustChooseDevice = signal(false);
/** Names of files that were added and are no sound. */
export const leftOut = signal<readonly string[]>([]);
