import type { IncomingMessage, ServerResponse } from 'node:http';

const limit = Symbol('the time limit of its body');
type Timed = IncomingMessage & { [limit]?: NodeJS.Timeout };

/** Enough for a client that reads the answer only when it has sent everything, and sends something small. */
const mostDrainedBytes = 16 * 1_048_576;
const drainMs = 10_000;
const drainIdleMs = 1_000;
const lookMs = 20;

/** Acts when the body of a request has not arrived whole in time. */
export function limitArrival(request: Timed, withinMs: number, act: () => void): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return;
  const timer = setTimeout(() => {
    if (!request.complete) act();
  }, withinMs);
  request[limit] = timer;
  const clear = () => clearTimeout(timer);
  request.once('end', clear).once('close', clear);
}

/** For a body that may take its time, because whoever reads it watches that it comes on. */
export const liftArrivalLimit = (request: Timed): void => clearTimeout(request[limit]);

/**
 * Lets an answer that is given before the body is over reach whoever still sends it: a connection closed at once is
 * reset, and the answer with it. What comes is read and thrown away for a while, then the connection ends.
 */
export function answerBeforeEnd(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  const isLast = !response.shouldKeepAlive;
  // Or Node would close it when the answer is out.
  response.shouldKeepAlive = true;
  response.once('finish', () => {
    request.removeAllListeners('readable').on('data', () => {});
    request.resume();
    watchDrain(request, () => {
      if (isLast) request.socket.destroySoon();
    });
  });
}

/** By the connection's own count, for Node hands out nothing of a body that nobody had begun to read. */
function watchDrain(request: IncomingMessage, whenDrained: () => void): void {
  const { socket } = request;
  const begun = { bytes: socket.bytesRead, at: performance.now() };
  let seen = begun;
  const timer = setInterval(() => {
    const now = { bytes: socket.bytesRead, at: performance.now() };
    if (now.bytes > seen.bytes) seen = now;
    const isOver = now.bytes - begun.bytes > mostDrainedBytes || now.at - begun.at > drainMs;
    if (request.complete) {
      stop();
      whenDrained();
    } else if (isOver || now.at - seen.at > drainIdleMs) socket.destroy();
  }, lookMs);
  // A connection carries many requests: none of them leaves anything on it.
  const stop = () => {
    clearInterval(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
}
