import { Readable } from 'node:stream';
import type { S3Answer, S3Client } from './s3-client.ts';
import type { ByteRange } from './storage.ts';

/*
 * Reads an object. If the answer breaks off, the rest is requested as a range, so that a reader gets all bytes or an error,
 * never fewer.
 */

const rangeNotSatisfiable = 416;
/** How often the answer may break off before this many further bytes have arrived. */
const mostBreaks = 4;
const enoughBytes = 1024 * 1024;

/** Undefined if there is no such object. */
export async function readObject(client: S3Client, key: string, range?: ByteRange): Promise<Readable | undefined> {
  const answer = await requestBytes(client, key, range);
  if (answer.statusCode < 400) {
    const startAt = range?.start ?? 0;
    const length = Number(answer.headers['content-length'] ?? NaN);
    const endAt = Number.isNaN(length) ? undefined : startAt + length;
    const reading: Reading = { answer, startAt, endAt, isClosed: false };
    const chunks = bytesOf(client, key, reading);
    return new Readable({
      read() {
        chunks.next().then(
          ({ value, done }) => this.push(done === true ? null : value),
          (error: Error) => this.destroy(error),
        );
      },
      destroy(error, onDestroyed) {
        reading.isClosed = true;
        drop(reading.answer);
        onDestroyed(error);
      },
    });
  }
  await answer.body.dump();
  return answer.statusCode === rangeNotSatisfiable ? Readable.from([]) : undefined;
}

async function requestBytes(client: S3Client, key: string, range?: ByteRange, etag?: string): Promise<S3Answer> {
  const headers = {
    ...(range && { range: `bytes=${range.start}-${range.end - 1}` }),
    ...(etag && { 'if-match': etag }),
  };
  const answer = await client.send({ method: 'GET', key, headers }, [404, rangeNotSatisfiable]);
  if (!range || answer.statusCode >= 400 || isFrom(answer, range.start)) return answer;
  drop(answer);
  throw client.fail(
    answer.statusCode,
    'ignores the header Range: it sent another part of the object than was requested',
  );
}

/** Without a listener, the error with which it ends would end the process. */
const drop = ({ body }: S3Answer): void => void body.on('error', () => {}).destroy();

const isFrom = ({ statusCode, headers }: S3Answer, start: number): boolean =>
  statusCode === 206 && String(headers['content-range']).startsWith(`bytes ${start}-`);

interface Reading {
  /** That is read at present. */
  answer: S3Answer;
  readonly startAt: number;
  /** Behind the last byte; undefined if the store does not say. */
  readonly endAt: number | undefined;
  /** Nobody wants further bytes. */
  isClosed: boolean;
}

async function* bytesOf(client: S3Client, key: string, reading: Reading): AsyncGenerator<Buffer> {
  const { startAt, endAt } = reading;
  const etag = reading.answer.headers['etag']?.toString();
  let at = startAt;
  let [breaks, breakAt] = [0, startAt];
  for (;;) {
    try {
      for await (const chunk of reading.answer.body as AsyncIterable<Buffer>) {
        at += chunk.length;
        yield chunk;
      }
      if (endAt === undefined || at >= endAt) return;
      throw client.explain(Object.assign(new Error('the answer is too short'), { code: 'ECONNRESET' }));
    } catch (error) {
      if (reading.isClosed) return;
      breaks = at - breakAt >= enoughBytes ? 1 : breaks + 1;
      breakAt = at;
      if (breaks >= mostBreaks || endAt === undefined) throw client.explain(error);
    }
    reading.answer = await requestBytes(client, key, { start: at, end: endAt }, etag);
    const { statusCode } = reading.answer;
    if (reading.isClosed || statusCode >= 400) {
      drop(reading.answer);
      throw client.fail(statusCode, 'does not have the rest of an object that is being read');
    }
  }
}
