import { createReadStream } from 'node:fs';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createPace } from '../connection/paced-body.ts';
import { EventFailure } from '../work.ts';

export interface PutOptions {
  readonly path: string;
  readonly bytes: number;
  readonly contentType: string;
  /** 0 is no limit. */
  readonly bytesPerSecond: number;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  /** Resolves the name of the receiver; the system's resolver unless given. */
  readonly lookup?: LookupFunction | undefined;
  /** Throws if the receiver is not the one that is meant. */
  readonly judge?: (status: number, headers: Headers) => void;
}

const stalledAfterMs = 60_000;

/** Sends a file by PUT, with its length, which object stores require. Redirects are not followed. */
export async function putFile(url: string, options: PutOptions): Promise<void> {
  const { path, bytes, contentType, bytesPerSecond, signal, onProgress, lookup, judge } = options;
  const address = new URL(url);
  const send = address.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = { 'content-type': contentType, 'content-length': bytes };
  const request = send(address, {
    method: 'PUT',
    headers,
    signal,
    timeout: stalledAfterMs,
    ...(lookup && { lookup }),
  });
  request.on('timeout', () => request.destroy(new Error('the receiver does not respond')));
  const answered = new Promise<{ status: number; headers: Headers }>((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: readHeaders(response.headers) });
    });
  });
  answered.catch(() => {});
  const pace = createPace(() => bytesPerSecond);
  let sent = 0;
  for await (const piece of createReadStream(path, {
    highWaterMark: pace.pieceBytes(),
    signal,
  }) as AsyncIterable<Buffer>) {
    if (request.destroyed) break;
    await pace.take(piece.length, signal);
    request.write(piece);
    sent += piece.length;
    onProgress(sent);
    if (request.writableNeedDrain && !request.destroyed) await waitForDrain(request);
  }
  request.end();
  const { status, headers: answerHeaders } = await answered;
  judge?.(status, answerHeaders);
  if (status < 200 || status > 299)
    throw new EventFailure(`The receiver of the sound responded with status ${status}.`);
}

function waitForDrain(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      request.off('drain', done).off('close', done);
      resolve();
    };
    request.on('drain', done).on('close', done);
  });
}

const readHeaders = (headers: IncomingHttpHeaders): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
