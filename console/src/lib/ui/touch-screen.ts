/** Whether the main pointer is a finger, which taps and does not point, click or drop. */
export const isTouchScreen = (): boolean => matchMedia('(pointer: coarse)').matches;
