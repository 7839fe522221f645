import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { ApiError } from '@earshot/client/api-error';
import { uploadRecording } from '@earshot/client/upload';
import type { ClipResult } from '@earshot/contract/upload';
import { uploadPieceBytes } from '@earshot/contract/upload';
import type { Connection, Context } from './command.ts';
import { countOf } from './count-of.ts';
import { explainError } from './explain-error.ts';
import { exitCodes, Failure } from './failure.ts';
import type { ProgressBars } from './progress.ts';
import type { LeftOut, LocalSound } from './sound-files.ts';
import { readSoundFile, soundBytes } from './sound-files.ts';
import { stateFolder, writePrivate } from './stored-logins.ts';
import { showBytes, showTime } from './time.ts';
import { forEachAtOnce } from './work-list.ts';

export interface FileToUpload {
  readonly path: string;
  readonly deviceID: number;
}

export interface UploadFilesSettings {
  /** Of times that name no zone; undefined: this machine's. */
  readonly zone: string | undefined;
  /** Instead of the time that the file tells. */
  readonly startMs?: number | undefined;
  readonly atOnce: number;
  /** What was found beside the files. */
  readonly leftOut: readonly LeftOut[];
}

interface Read extends FileToUpload {
  readonly file: LocalSound;
}

/** Files are read, compared with the server and uploaded in groups, so that any number of them needs little memory. */
const groupSize = 200;

/** Uploads recordings and skips those that the server has. Throws a Failure if some could not be uploaded. */
export async function uploadFiles(
  context: Pick<Context<unknown>, 'io' | 'json' | 'output'>,
  connection: Connection,
  files: readonly FileToUpload[],
  settings: UploadFilesSettings,
): Promise<void> {
  const { io, output, json } = context;
  const bars = output.progress();
  const counts = { uploaded: 0, skipped: 0, failed: 0 };
  const shown = (path: string) => showPath(io, path);
  const report = (state: keyof typeof counts, path: string, more: Readonly<Record<string, unknown>>, line: string) => {
    counts[state] += 1;
    if (json) output.record({ state, path, ...more });
    else bars.note(line);
  };
  const tellKnown = ({ path }: Read, audioClipID: number) => {
    const line = `= ${shown(path)}: already there as clip ${audioClipID}: ${sameRecording}`;
    report('skipped', path, { audioClipID, reason: sameRecording }, line);
  };
  const fail = (path: string, error: unknown) => {
    if (io.signal.aborted) return;
    const { message } = explainError(error, connection.url);
    report('failed', path, { error: message }, `✗ ${shown(path)}: ${message}`);
  };
  reportLeftOut(context, settings.leftOut);
  counts.failed = settings.leftOut.filter(({ isFault }) => isFault).length;
  try {
    for (let first = 0; first < files.length && !io.signal.aborted; first += groupSize) {
      const group = files.slice(first, first + groupSize);
      const read: Read[] = [];
      await forEachAtOnce(group, 2, io.signal, async ({ path, deviceID }) => {
        bars.set(basename(path), undefined, 'reading');
        try {
          read.push({ path, deviceID, file: await readSoundFile(path, { ...settings, signal: io.signal }) });
        } catch (error) {
          fail(path, error);
        } finally {
          bars.end(basename(path));
        }
      });
      const known = await findKnown(connection, read);
      const sendOne = async (item: Read) => {
        const audioClipID = known.get(recordingKey(item));
        if (audioClipID !== undefined) return tellKnown(item, audioClipID);
        try {
          const { key, result } = await uploadOne(io, connection, item, bars);
          known.set(recordingKey(item), key);
          if (result === 'existing') return tellKnown(item, key);
          const line = `✓ ${shown(item.path)}: clip ${key}, ${showTime(item.file.startMs)}, ${showBytes(item.file.size)}`;
          report(
            'uploaded',
            item.path,
            { audioClipID: key, startMs: item.file.startMs, timeFrom: item.file.source },
            line,
          );
        } catch (error) {
          fail(item.path, error);
        } finally {
          bars.end(basename(item.path));
        }
      };
      const firsts = new Map(read.toReversed().map((item) => [recordingKey(item), item]));
      const isFirst = (item: Read) => firsts.get(recordingKey(item)) === item;
      // A copy waits for the first file of the recording, so that it is skipped whatever takes longer.
      await forEachAtOnce(read.filter(isFirst), settings.atOnce, io.signal, sendOne);
      await forEachAtOnce(
        read.filter((item) => !isFirst(item)),
        settings.atOnce,
        io.signal,
        sendOne,
      );
    }
  } finally {
    bars.close();
  }
  const { uploaded, skipped, failed } = counts;
  if (!json) {
    output.note(`${uploaded} uploaded, ${skipped} already there, ${failed} failed.`);
    if (skipped > 0) output.note(`Already there (lines with “=”): ${sameRecording} as the clip that is named.`);
  }
  if (failed > 0) {
    const exitCode = uploaded + skipped > 0 ? exitCodes.partial : exitCodes.failed;
    throw new Failure(
      `${countOf(failed, 'file')} of ${uploaded + skipped + failed} not uploaded. Run the command again for them.`,
      exitCode,
    );
  }
}

const mostNamed = 100;

/** Names what is not uploaded, so that nobody deletes it from the card because the command succeeded. */
export function reportLeftOut(
  { io, output, json }: Pick<Context<unknown>, 'io' | 'json' | 'output'>,
  leftOut: readonly LeftOut[],
): void {
  if (json) {
    for (const { path, reason, isFault } of leftOut) {
      output.record(isFault ? { state: 'failed', path, error: reason } : { state: 'left out', path, reason });
    }
    return;
  }
  const inOrder = leftOut.toSorted((a, b) => Number(b.isFault) - Number(a.isFault));
  for (const { path, reason, isFault } of inOrder.slice(0, mostNamed)) {
    output.note(`${isFault ? '✗' : '-'} ${showPath(io, path)}: ${isFault ? reason : `left out: ${reason}`}`);
  }
  const more = leftOut.length - mostNamed;
  if (more > 0) output.note(`… and ${more} more are not uploaded; with --json all are named.`);
}

const showPath = (io: Context['io'], path: string): string =>
  path.startsWith(`${io.folder}/`) ? relative(io.folder, path) : path;

/** Equal bytes alone are not the same recording: a muted input records the same silence again and again. */
const sameRecording = 'same device, start and sound';
const recordingKey = ({ deviceID, file }: Read): string => `${deviceID} ${file.startMs} ${file.sha256}`;

/** The clips of recordings whose sound the server has. What is uploaded is added, for copies in one group. */
async function findKnown({ client }: Connection, items: readonly Read[]): Promise<Map<string, number>> {
  if (items.length === 0) return new Map();
  const recordings = items.map(({ deviceID, file }) => ({
    deviceID,
    startDate: new Date(file.startMs).toISOString(),
    sHA256Hash: file.sha256,
  }));
  const known = await client.findKnownUploads({ body: { recordings } }).catch((error: unknown) => {
    // A server of version 0.1 knows only hashes, and a write-only key may not ask. The server finds out itself what it
    // has, after the upload.
    if (error instanceof ApiError && (error.status === 400 || error.status === 403)) return [];
    throw error;
  });
  return new Map(
    known.flatMap(({ recordingIndex = -1, audioClipID, isStored = false }) => {
      const item = items[recordingIndex];
      return item && isStored ? [[recordingKey(item), audioClipID] as const] : [];
    }),
  );
}

async function uploadOne(
  io: Context['io'],
  { clientOptions, url }: Connection,
  { path, deviceID, file }: Read,
  bars: ProgressBars,
): Promise<{ readonly key: number; readonly result: ClipResult | undefined }> {
  const place = join(stateFolder(io.env), 'uploads', placeName([url, deviceID, file.sha256, file.startMs]));
  const name = basename(path);
  // A small file is one request, so there is nothing to continue.
  const isLong = file.size > uploadPieceBytes;
  const location = isLong ? await readFile(place, 'utf8').catch(() => undefined) : undefined;
  bars.set(name, 0, showBytes(file.size));
  // If the address cannot be written, the next run begins this upload again.
  let written: Promise<unknown> = Promise.resolve();
  const keepPlace = (next: string) => {
    if (isLong) written = writePrivate(place, next).catch(() => {});
  };
  let result: ClipResult | undefined;
  const key = await uploadRecording(
    clientOptions,
    {
      sound: soundBytes(file),
      metadata: {
        deviceID: String(deviceID),
        startDate: new Date(file.startMs).toISOString(),
        filename: name,
        sha256: file.sha256,
      },
    },
    {
      signal: io.signal,
      ...(location === undefined ? {} : { location }),
      onLocation: keepPlace,
      onResult: (done) => (result = done),
      onProgress: (bytes) => bars.set(name, bytes / file.size, `${showBytes(bytes)} of ${showBytes(file.size)}`),
      onRetry: () => bars.set(name, undefined, 'the connection was lost; trying again'),
    },
  );
  // Or the address would be written after it is removed.
  await written;
  if (isLong) await rm(place, { force: true });
  return { key, result };
}

const placeName = (parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
