/** Set by scripts/build.mjs. */
declare const EARSHOT_VERSION: string | undefined;

/** The version of the program that this is built into, as scripts/version.mjs makes it. */
export const buildVersion: string = typeof EARSHOT_VERSION === 'string' ? EARSHOT_VERSION : '0.0.0-source';
