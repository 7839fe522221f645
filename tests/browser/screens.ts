export const wide = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };
/** The smallest supported screen. */
export const smallPhone = { width: 360, height: 740 };
