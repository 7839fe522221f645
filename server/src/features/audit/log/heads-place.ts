import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { syncFolder } from '../../../platform/storage/folder-layout.ts';
import { createS3Client } from '../../../platform/storage/s3-client.ts';
import { createS3Objects } from '../../../platform/storage/s3-objects.ts';
import { parseS3Url } from '../../../platform/storage/s3-url.ts';

/** Where heads are sent: the setting `EARSHOT_AUDIT_HEADS` and the keys of an object store. */
export interface HeadsPlace {
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Stores a signed head under a name, durably; throws if it cannot. */
export type PutHead = (name: string, note: string) => Promise<void>;

const putWithinMs = 30_000;
const mostAnswerBytes = 4_096;

/** A folder, `s3://bucket/prefix?…` or `https://host/path`, to which the name is added. */
export function openHeadsPlace({ url, ...keys }: HeadsPlace, outbound: Outbound): PutHead {
  if (url.startsWith('s3:')) return putToBucket(url, keys);
  return /^https?:/.test(url) ? putByHttp(url, outbound) : putToFolder(url);
}

/** Reads the setting; adds what is wrong with it to the faults. */
export function readHeadsPlace(
  environment: Readonly<Record<string, string | undefined>>,
  faults: string[],
): HeadsPlace | undefined {
  const given = (...names: string[]): string => names.map((name) => environment[name]?.trim()).find(Boolean) ?? '';
  const url = given('EARSHOT_AUDIT_HEADS');
  if (url === '') return undefined;
  const config = {
    url,
    accessKey: given('EARSHOT_AUDIT_HEADS_S3_ACCESS_KEY', 'EARSHOT_S3_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'),
    secretKey: given('EARSHOT_AUDIT_HEADS_S3_SECRET_KEY', 'EARSHOT_S3_SECRET_KEY', 'AWS_SECRET_ACCESS_KEY'),
  };
  const fault = headsPlaceFault(config);
  if (fault !== undefined) faults.push(`EARSHOT_AUDIT_HEADS cannot be used: ${fault}`);
  return config;
}

/** What is wrong with the setting, in words; undefined if nothing is. */
export function headsPlaceFault({ url, accessKey, secretKey }: HeadsPlace): string | undefined {
  if (url.startsWith('s3:')) {
    if (accessKey === '' || secretKey === '')
      return 'it needs EARSHOT_AUDIT_HEADS_S3_ACCESS_KEY and EARSHOT_AUDIT_HEADS_S3_SECRET_KEY, the keys of the object store';
    try {
      parseS3Url(url);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
  const isHttp = /^https?:/.test(url) && URL.canParse(url);
  return isHttp || isAbsolute(url) ? undefined : 'it must be an absolute path, s3://bucket/prefix or https://host/path';
}

function putToFolder(root: string): PutHead {
  return async (name, note) => {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    // Renamed when it is whole, so that no reader sees a part of a head.
    const file = await open(`${path}.part`, 'w', 0o644);
    try {
      await file.writeFile(note);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
    await syncFolder(dirname(path));
  };
}

function putToBucket(url: string, keys: Omit<HeadsPlace, 'url'>): PutHead {
  const location = parseS3Url(url);
  const objects = createS3Objects(createS3Client({ location, ...keys }), location);
  return (name, note) => objects.put(location.prefix + name, Buffer.from(note));
}

function putByHttp(url: string, outbound: Outbound): PutHead {
  return async (name, note) => {
    const address = new URL(url);
    address.pathname = `${address.pathname.replace(/\/$/, '')}/${name}`;
    const { status, body } = await outbound.send(address.href, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: note,
      timeoutMs: putWithinMs,
      maxAnswerBytes: mostAnswerBytes,
    });
    if (status < 200 || status > 299) throw new Error(`the host answered ${status}`);
    if (status === 200 && isWebPage(body)) throw new Error(`the host answered 200 ${pageAdvice}`);
  };
}

const pageAdvice = 'with a web page, as a website or a sign-in page does, and keeps no heads';

/** Some hosts that keep the file answer 201 or 204 with a page about it. */
const isWebPage = (body: Buffer): boolean => /^\s*<(!doctype html|html)\b/i.test(body.toString('latin1', 0, 256));
