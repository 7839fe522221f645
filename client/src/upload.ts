import type { ClipResult } from '@earshot/contract/upload';
import {
  clipIdHeader,
  clipResultHeader,
  clipResults,
  createUpload,
  tusVersion,
  uploadContentType,
  uploadPieceBytes,
} from '@earshot/contract/upload';
import { ApiError } from './api-error.ts';
import type { ClientOptions } from './client.ts';
import { isPermanent, longestDelayMs, wait } from './retry.ts';
import { sendRequest } from './send-request.ts';

/** The bytes of a recording: a Blob, or anything else that reads pieces when they are needed. */
export interface SoundBytes {
  readonly size: number;
  slice(start: number, end: number): Blob | Promise<Blob>;
}

/** A recording, and what the server should know of it. */
export interface Recording {
  readonly sound: SoundBytes;
  /** `deviceID`, `startDate`, `filename`, `sha256` and others, as `POST /v1/upload` describes them. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface UploadOptions {
  /** The address of the upload, if it was started before. */
  readonly location?: string;
  readonly signal?: AbortSignal;
  /** The size of a request, or a function that is asked before each; 8 MiB when missing. */
  readonly pieceBytes?: number | (() => number);
  /**
   * Whether the upload goes on by itself after an error. When missing, it does, with growing delays, unless the server
   * has refused the recording; then the promise is rejected.
   */
  readonly mayRetry?: (error: unknown) => boolean;
  /** Called with the address of a new upload; keep it to continue later. */
  readonly onLocation?: (location: string) => void;
  /** Called with the number of bytes that the server has. */
  readonly onProgress?: (bytes: number) => void;
  /** Called when the upload is complete, with what it did: the server may have had this sound before. */
  readonly onResult?: (result: ClipResult) => void;
  /** Called when an attempt failed and will be repeated. */
  readonly onRetry?: (error: unknown) => void;
}

interface Place {
  readonly location: string | undefined;
  /** Undefined: the server must be asked, if the upload has begun. */
  readonly offset: number | undefined;
  /** Set when the upload is complete. */
  readonly audioClipID: number | undefined;
  /** Undefined also from a server of before, which does not say it. */
  readonly result?: ClipResult | undefined;
}

const firstDelayMs = 500;
/** How often an upload is started again because the server no longer has it. */
const mostRestarts = 2;
/** How often the server may disagree about the offset before the caller of an upload with `mayRetry` decides. */
const mostFruitless = 3;

/**
 * Uploads a recording in pieces (tus 1.0.0) and returns the key of its clip. Continues after interruptions until the
 * signal aborts; throws if the server refuses the recording.
 */
export async function uploadRecording(
  options: ClientOptions,
  recording: Recording,
  {
    location,
    signal,
    pieceBytes = uploadPieceBytes,
    mayRetry,
    onLocation,
    onProgress,
    onResult,
    onRetry,
  }: UploadOptions = {},
): Promise<number> {
  const begun = location !== undefined && isUploadAddress(options, location) ? location : undefined;
  let place: Place = { location: begun, offset: begun === undefined ? 0 : undefined, audioClipID: undefined };
  let delayMs = firstDelayMs;
  let restarts = 0;
  let reached = 0;
  let fruitless = 0;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const size = typeof pieceBytes === 'function' ? pieceBytes() : pieceBytes;
      const next = await takeStep(options, recording, place, size, signal);
      if (next.location !== undefined && next.location !== place.location) onLocation?.(next.location);
      place = next;
      if (place.audioClipID !== undefined) {
        onProgress?.(recording.sound.size);
        if (place.result !== undefined) onResult?.(place.result);
        return place.audioClipID;
      }
      if (place.offset === undefined) continue;
      onProgress?.(place.offset);
      if (place.offset > reached) {
        reached = place.offset;
        delayMs = firstDelayMs;
        fruitless = 0;
      }
    } catch (error) {
      signal?.throwIfAborted();
      fruitless += 1;
      const isMissing = hasStatus(error, 404, 410) && place.location !== undefined && restarts < mostRestarts;
      const isBehind = hasStatus(error, 409, 423) && place.offset !== undefined && place.location !== undefined;
      if (isMissing) {
        restarts += 1;
        place = { location: undefined, offset: 0, audioClipID: undefined };
        continue;
      }
      if (isBehind && mayRetry && fruitless >= mostFruitless) throw new UploadConflict(error);
      if (!isBehind && (isPermanent(error) || !(mayRetry?.(error) ?? true))) throw error;
      onRetry?.(error);
      place = { ...place, offset: undefined };
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      await wait(Math.max(asked, delayMs * (0.75 + Math.random() * 0.5)), signal);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }
}

const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

/** One request: creates the upload with the first piece, asks for its offset, or sends the next piece. */
async function takeStep(
  options: ClientOptions,
  { sound, metadata }: Recording,
  { location, offset }: Place,
  pieceBytes: number,
  signal: AbortSignal | undefined,
): Promise<Place> {
  const call = { options, signal, location };
  if (location === undefined) {
    const headers = { 'upload-length': String(sound.size), 'upload-metadata': encodeMetadata(metadata) };
    return send(call, 'POST', createUpload.path, headers, await sound.slice(0, pieceBytes));
  }
  const path = new URL(location, options.url).pathname;
  if (offset === undefined) return send(call, 'HEAD', path, {});
  const piece = await sound.slice(offset, offset + pieceBytes);
  return send(call, 'PATCH', path, { 'upload-offset': String(offset) }, piece);
}

interface Call extends Pick<Place, 'location'> {
  readonly options: ClientOptions;
  readonly signal: AbortSignal | undefined;
}

async function send(
  { options, signal, location }: Call,
  method: 'POST' | 'HEAD' | 'PATCH',
  path: string,
  headers: Readonly<Record<string, string>>,
  piece?: Blob,
): Promise<Place> {
  const { 'upload-offset': from = '0' } = headers;
  // A signature needs the bytes; otherwise the piece is streamed from the file.
  const body = piece && options.credential?.signed ? new Uint8Array(await piece.arrayBuffer()) : (piece ?? null);
  const response = await sendRequest(options, {
    method,
    url: new URL(path, options.url),
    headers: {
      'tus-resumable': tusVersion,
      ...headers,
      ...(piece ? { 'content-type': uploadContentType } : {}),
    },
    body,
    content: body instanceof Uint8Array ? body : undefined,
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw ApiError.from(response, text);
  const given = response.headers.get('location');
  const result = response.headers.get(clipResultHeader);
  const place = {
    location: given !== null && isUploadAddress(options, given) ? given : location,
    offset: numberIn(response, 'upload-offset'),
    audioClipID: numberIn(response, clipIdHeader),
    result: clipResults.find((known) => known === result),
  };
  // An upload may be created without bytes.
  const mayStay = piece === undefined || (method === 'POST' && piece.size === 0);
  const isAdvanced = place.offset !== undefined && (mayStay || place.offset > Number(from));
  if (place.audioClipID === undefined && (place.location === undefined || !isAdvanced))
    throw new NoUploadAnswer(`The answer to ${method} ${path} (status ${response.status}) says nothing of an upload.`);
  return place;
}

/** The server takes no bytes of this upload at present, because of other bytes that it takes or has. */
export class UploadConflict extends Error {
  override readonly name = 'UploadConflict';

  constructor(cause: unknown) {
    super(`The upload does not go on: ${(cause as Error).message}`, { cause });
  }
}

/** A success without the headers of tus, or without progress, does not come from a server that stores uploads. */
export class NoUploadAnswer extends Error {
  override readonly name = 'NoUploadAnswer';
}

/** An answer could name any address; an upload is continued only at an address of uploads of this server. */
function isUploadAddress({ url }: ClientOptions, location: string): boolean {
  if (!URL.canParse(location, url)) return false;
  const { origin, pathname } = new URL(location, url);
  return (
    origin === new URL(url).origin &&
    pathname.startsWith(createUpload.path) &&
    /^\/\d+$/.test(pathname.slice(createUpload.path.length))
  );
}

function numberIn({ headers }: Response, name: string): number | undefined {
  const value = headers.get(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function encodeMetadata(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${toBase64(value)}`)
    .join(',');
}

/** `btoa` accepts bytes only. */
const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
