/** Enough digits to tell builds apart. */
export const shortBuild = (sha256: string): string => sha256.slice(0, 12);

/** Two builds may have the same version, if one was made from changed sources. */
export const nameBuild = (version: string, sha256: string): string => `${version} (build ${shortBuild(sha256)})`;
