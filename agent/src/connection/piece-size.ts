import { uploadPieceBytes } from '@earshot/contract/upload';

/** Less would be mostly headers. */
const leastPieceBytes = 65_536;
/** The platform keeps a signed body in memory until it is complete. */
const signedBodySeconds = 60;
/** One may be an accident. */
const failuresBeforeLess = 2;
const arrivalsBeforeMore = 8;

/**
 * The size of the next request with sound. A body that is cut may count for nothing (one that is signed, or that begins an
 * upload), so that on a bad link smaller ones must do: after two failures in a row a quarter of what failed, then twice as
 * much each time, but what failed only after several others arrived. `bytesPerSecond` is the limit of signed bodies.
 */
export function createPieceSize(bytesPerSecond: () => number) {
  let bytes = uploadPieceBytes;
  let most = uploadPieceBytes;
  let failures = 0;
  let arrivals = 0;
  return {
    grow(): void {
      failures = 0;
      arrivals += 1;
      if (bytes < most) bytes = Math.min(bytes * 2, most);
      else if (arrivals >= arrivalsBeforeMore) {
        most = Math.min(most * 2, uploadPieceBytes);
        arrivals = 0;
      }
    },
    shrink(failedBytes: number): void {
      failures += 1;
      arrivals = 0;
      if (failures < failuresBeforeLess) return;
      const failed = Math.min(bytes, failedBytes);
      most = Math.max(leastPieceBytes, Math.floor(failed / 2));
      bytes = Math.max(leastPieceBytes, Math.floor(failed / 4));
    },
    current(): number {
      const limit = bytesPerSecond();
      const inTime = limit > 0 ? Math.max(leastPieceBytes, limit * signedBodySeconds) : uploadPieceBytes;
      return Math.min(bytes, inTime);
    },
  };
}
