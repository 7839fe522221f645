import { wait } from '@earshot/client/retry';

const largestPiece = 65_536;
/** Small pieces at a low limit, so that the bytes flow all the time and no one on the way takes them for stalled. */
const piecesPerSecond = 4;

/**
 * The limit of all bodies of this agent together. `bytesPerSecond` is asked for each piece, so that a changed setting holds
 * at once; 0 is no limit.
 */
export function createPace(bytesPerSecond: () => number, nowMs: () => number = () => performance.now()) {
  let freeAtMs = 0;
  return {
    pieceBytes: (): number => {
      const limit = bytesPerSecond();
      return limit > 0 ? Math.max(1, Math.min(largestPiece, Math.floor(limit / piecesPerSecond))) : largestPiece;
    },
    /** Waits until these bytes fit the limit. */
    async take(bytes: number, signal: AbortSignal): Promise<void> {
      const limit = bytesPerSecond();
      if (limit <= 0) return;
      const startMs = Math.max(nowMs(), freeAtMs);
      freeAtMs = startMs + (1_000 * bytes) / limit;
      await wait(startMs - nowMs(), signal);
      signal.throwIfAborted();
    },
  };
}

export type UploadPace = ReturnType<typeof createPace>;

/** Sends bytes within the limit, inside one request. `onSent` is called after each piece. */
export function paceBody(
  body: Blob | Uint8Array<ArrayBuffer>,
  pace: UploadPace,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const size = body instanceof Blob ? body.size : body.length;
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent >= size) return controller.close();
        const end = Math.min(size, sent + pace.pieceBytes());
        await pace.take(end - sent, signal);
        const piece =
          body instanceof Blob ? new Uint8Array(await body.slice(sent, end).arrayBuffer()) : body.subarray(sent, end);
        sent = end;
        controller.enqueue(piece);
        onSent(piece.length);
        if (sent >= size) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
