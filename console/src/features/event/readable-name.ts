/** Converts `Start_recording` to "Start recording". */
export const readableName = (name: string | undefined): string => (name ?? '').replaceAll('_', ' ');
