export const peaksName = (storageName: string): string => `${storageName}-peaks`;
