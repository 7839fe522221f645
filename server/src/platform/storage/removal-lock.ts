/** The advisory lock that a backup holds while it copies files: no bytes are removed meanwhile. An arbitrary constant. */
export const removalLock = 0x65_61_72_66;
