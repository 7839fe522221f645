import { uploadPieceBytes } from '@earshot/contract/upload';

/** A signed body counts as a whole: on a bad link smaller ones arrive sooner. The version before needs 8 MiB. */
const leastPieceBytes = 262_144;
/** The platform keeps a signed body in memory until it is complete. */
const signedBodySeconds = 60;

/** The size of the next request with sound, for requests that are signed. */
export function createPieceSize(bytesPerSecond: () => number) {
  let bytes = uploadPieceBytes;
  return {
    grow(): void {
      bytes = Math.min(bytes * 2, uploadPieceBytes);
    },
    shrink(): void {
      bytes = Math.max(bytes / 2, leastPieceBytes);
    },
    current(): number {
      const limit = bytesPerSecond();
      const inTime = limit > 0 ? Math.max(leastPieceBytes, limit * signedBodySeconds) : uploadPieceBytes;
      return Math.min(bytes, inTime);
    },
  };
}
