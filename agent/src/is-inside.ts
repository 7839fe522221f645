import { relative } from 'node:path';

/** Whether a file is in a folder, or in a folder in it; `/recordings-2/a.wav` is not in `/recordings`. */
export const isInside = (folder: string, file: string): boolean => !/^\.\.(\/|$)/.test(relative(folder, file));
