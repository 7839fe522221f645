import { getAudioClipContent } from '@earshot/contract/audio-clip-sound';
import { ApiError } from './api-error.ts';
import type { ClientOptions } from './client.ts';
import { isPermanent, longestDelayMs, wait } from './retry.ts';
import { sendRequest } from './send-request.ts';

export interface DownloadOptions {
  /** Continues after this number of bytes, if the sound is still the one with this `etag`. */
  readonly from?: { readonly offset: number; readonly etag: string };
  readonly signal?: AbortSignal;
  /** Called with the number of bytes so far, those before `from.offset` included. */
  readonly onProgress?: (bytes: number) => void;
  /** Called when the connection was lost and the download continues. */
  readonly onRetry?: (error: unknown) => void;
}

export interface SoundDownload {
  /** The size of the whole sound in bytes. */
  readonly size: number;
  /** Where `body` begins: `from.offset`, or 0 if the sound has changed. */
  readonly offset: number;
  readonly contentType: string;
  /** Names this version of the sound; keep it to continue later. */
  readonly etag: string;
  readonly body: ReadableStream<Uint8Array>;
}

const firstDelayMs = 500;

/**
 * Downloads the sound of a clip as a stream. A lost connection is continued with a range request, so that every byte
 * arrives once and in order. The stream fails if the sound changes meanwhile.
 */
export async function downloadSound(
  options: ClientOptions,
  audioClipID: number,
  { from, signal, onProgress, onRetry }: DownloadOptions = {},
): Promise<SoundDownload> {
  const first = await request(options, audioClipID, from?.offset ?? 0, from?.etag, signal);
  let { reader } = first;
  let position = first.offset;
  let delayMs = firstDelayMs;

  const reconnect = async (lost: unknown): Promise<void> => {
    for (let error = lost; ;) {
      onRetry?.(error);
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      await wait(Math.max(asked, delayMs * (0.75 + Math.random() * 0.5)), signal);
      signal?.throwIfAborted();
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      try {
        const next = await request(options, audioClipID, position, first.etag, signal);
        if (next.offset !== position) {
          await next.reader.cancel();
          throw new Error('The sound was replaced during the download. Start again.');
        }
        reader = next.reader;
        return;
      } catch (next) {
        signal?.throwIfAborted();
        if (isPermanent(next) || !(next instanceof ApiError || next instanceof TypeError)) throw next;
        error = next;
      }
    }
  };

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (position < first.size) {
          try {
            const { done, value } = await reader.read();
            if (!done) {
              position += value.length;
              delayMs = firstDelayMs;
              controller.enqueue(value);
              onProgress?.(position);
              return;
            }
            throw new TypeError('The connection ended before the last byte.');
          } catch (error) {
            signal?.throwIfAborted();
            await reconnect(error);
          }
        }
        await reader.cancel().catch(() => {});
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { size: first.size, offset: first.offset, contentType: first.contentType, etag: first.etag, body };
}

interface Answer extends Omit<SoundDownload, 'body'> {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
}

async function request(
  options: ClientOptions,
  audioClipID: number,
  offset: number,
  etag: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { method } = getAudioClipContent;
  const path = getAudioClipContent.path.replace('{audioClipID}', String(audioClipID));
  const headers: Record<string, string> = {};
  if (offset > 0) headers['range'] = `bytes=${offset}-`;
  if (offset > 0 && etag !== undefined) headers['if-range'] = etag;
  const response = await sendRequest(options, { method, url: new URL(path, options.url), headers, signal });
  const isComplete = response.status === 416 && offset > 0;
  if (isComplete) return emptyRest(response, etag);
  if (!response.ok || !response.body) throw ApiError.from(response, await response.text());
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  return {
    offset: response.status === 206 && range ? Number(range[1]) : 0,
    size: range ? Number(range[2]) : Number(response.headers.get('content-length') ?? 0),
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    etag: response.headers.get('etag') ?? '',
    reader: response.body.getReader(),
  };
}

/** All bytes were there before: `Content-Range: bytes * /size`. */
async function emptyRest(response: Response, etag = ''): Promise<Answer> {
  await response.text();
  const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0);
  const reader = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }).getReader();
  return { offset: size, size, contentType: 'application/octet-stream', etag, reader };
}
