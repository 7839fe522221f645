import type { IncomingMessage, ServerResponse } from 'node:http';

const limit = Symbol('body time limit');
type Timed = IncomingMessage & { [limit]?: NodeJS.Timeout };

/** Enough for small uploads by a client that reads the response only after it has sent everything. */
const mostDrainedBytes = 16 * 1_048_576;
const drainMs = 10_000;
const drainIdleMs = 1_000;
const drainCheckMs = 20;

/** Calls `onTimeout` if the body of a request has not arrived completely within the time limit. */
export function limitArrival(request: Timed, withinMs: number, onTimeout: () => void): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return;
  const timer = setTimeout(() => {
    if (!request.complete) onTimeout();
  }, withinMs);
  request[limit] = timer;
  const clear = () => clearTimeout(timer);
  request.once('end', clear).once('close', clear);
}

/** Removes the time limit for a body whose reader enforces an idle timeout instead. */
export const liftArrivalLimit = (request: Timed): void => clearTimeout(request[limit]);

/**
 * Delivers a response that is sent before the request body has arrived completely. Closing the connection at once would
 * reset it, and the client would lose the response. So the server reads and discards the rest of the body, within
 * limits, and then closes the connection.
 */
export function answerBeforeEnd(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  const isLast = !response.shouldKeepAlive;
  // Otherwise Node closes the connection as soon as the response is sent.
  response.shouldKeepAlive = true;
  response.once('finish', () => {
    request.removeAllListeners('readable').on('data', () => {});
    request.resume();
    watchDrain(request, () => {
      if (isLast) request.socket.destroySoon();
    });
  });
}

/** Counts bytes at the socket, because Node emits no data for a body that no handler had started to read. */
function watchDrain(request: IncomingMessage, whenDrained: () => void): void {
  const { socket } = request;
  const begun = { bytes: socket.bytesRead, at: performance.now() };
  let seen = begun;
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer);
    const now = { bytes: socket.bytesRead, at: performance.now() };
    if (now.bytes > seen.bytes) seen = now;
    const isOver = now.bytes - begun.bytes > mostDrainedBytes || now.at - begun.at > drainMs;
    if (request.complete) {
      clearInterval(timer);
      whenDrained();
    } else if (isOver || now.at - seen.at > drainIdleMs) socket.destroy();
  }, drainCheckMs);
}
