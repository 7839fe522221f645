import { mkdir, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@earshot/client/client';
import type { PlatformConnection } from '../connection/connection.ts';
import { diskPath, isPlainPath, showPath } from '../file-name.ts';
import { hashRecording } from '../hash-recording.ts';
import type { Journal } from '../journal.ts';
import type { Entry } from '../recording.ts';
import { reasonOf } from '../loop.ts';
import type { CarryOut, EventWork } from '../work.ts';
import { EventFailure } from '../work.ts';
import type { JoinedSound, JoinedFormat, SoundPiece } from './join-sound.ts';
import { joinFormats, joinSound } from './join-sound.ts';
import { putFile } from './put-file.ts';
import type { UploadAddresses } from './upload-address.ts';

export interface JoinParts {
  readonly client: Client;
  readonly connection: Pick<PlatformConnection, 'requirePlatform'>;
  readonly server: string;
  readonly deviceSerial: string;
  readonly journal: Journal;
  readonly bytesPerSecond: () => number;
  /** Where joined sound may be sent. */
  readonly addresses: UploadAddresses;
  /** For the result, until it is delivered. */
  readonly folder: string;
}

/** The share of joining in the progress; sending the result is the rest. */
const joiningShare = 0.7;

/** Joins clips on the device and sends the result to the given address, or to the platform, which keeps it as a file. */
export function joinClips(parts: JoinParts): CarryOut {
  return async ({ parameters, signal, progress, take }) => {
    const wanted = readJoin(parameters);
    if (wanted.uploadURL !== undefined) await parts.addresses.require(wanted.uploadURL);
    const known = new Map([...parts.journal.entries.values()].map((entry) => [entry.clipID, entry]));
    const found: SoundPiece[] = [];
    for (const clipID of wanted.clipIDs) found.push(await findPiece(known.get(clipID), clipID));
    await mkdir(parts.folder, { recursive: true, mode: 0o700 });
    const target = join(parts.folder, `joined-${take.eventID}`);
    const links: string[] = [];
    try {
      const pieces: SoundPiece[] = [];
      for (const piece of found) pieces.push(await linkPiece(piece, `${target}-${pieces.length}`, links));
      const joined = await joinSound({
        ...wanted,
        pieces,
        target,
        onProgress: (percent) => progress(percent * joiningShare),
        signal,
      });
      const { size } = await stat(target);
      const onProgress = (bytes: number) =>
        progress(100 * (joiningShare + ((1 - joiningShare) * bytes) / Math.max(1, size)));
      const put = { path: target, bytes: size, contentType: joined.contentType, onProgress, signal };
      const sent = { ...put, bytesPerSecond: parts.bytesPerSecond() };
      const delivered =
        wanted.uploadURL === undefined
          ? { fileID: await keep(parts, `joined-${take.eventID}.${joined.format}`, sent) }
          : await putFile(wanted.uploadURL, { ...sent, lookup: parts.addresses.lookupFor(wanted.uploadURL) }).then(
              () => ({ uploadedBytes: size }),
            );
      return describe(delivered, joined);
    } catch (error) {
      if (error instanceof EventFailure || signal.aborted) throw error;
      throw new EventFailure(`The sound was not delivered: ${reasonOf(error)}.`);
    } finally {
      for (const path of [target, ...links]) await rm(path, { force: true });
    }
  };
}

const describe = (delivered: object, { format, durationMs, isReencoded }: JoinedSound): string =>
  JSON.stringify({ ...delivered, format, durationMs, isReencoded });

interface WantedJoin {
  readonly clipIDs: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly gaps: 'silence' | 'close';
  readonly format: JoinedFormat;
  readonly uploadURL: string | undefined;
}

function readJoin(parameters: EventWork['parameters']): WantedJoin {
  const { audioClips, startEpoch, endEpoch, gaps = 'silence', format = 'same', uploadURL } = parameters;
  if (!Array.isArray(audioClips) || audioClips.length === 0)
    throw new EventFailure('audioClips must be a list of the ids of clips.');
  if (gaps !== 'silence' && gaps !== 'close') throw new EventFailure('gaps must be silence or close.');
  const known = joinFormats.find((each) => each === format);
  if (known === undefined) throw new EventFailure(`format must be one of ${joinFormats.join(', ')}.`);
  if (uploadURL !== undefined && !(typeof uploadURL === 'string' && /^https?:\/\//.test(uploadURL)))
    throw new EventFailure('uploadURL must begin with http:// or https://.');
  return {
    clipIDs: audioClips.map(Number),
    fromMs: typeof startEpoch === 'number' ? startEpoch * 1_000 : 0,
    toMs: typeof endEpoch === 'number' ? endEpoch * 1_000 : Number.MAX_SAFE_INTEGER,
    gaps,
    format: known,
    uploadURL,
  };
}

async function findPiece(entry: Entry | undefined, clipID: number): Promise<SoundPiece> {
  if (!entry) throw new EventFailure(`Clip ${clipID} is not on this device.`);
  const { path, startMs, durationMs, removedBecause } = entry;
  if (removedBecause !== undefined)
    throw new EventFailure(`The sound of clip ${clipID} is not on this device: it was removed (${removedBecause}).`);
  if ((await stat(diskPath(path)).catch(() => undefined)) === undefined)
    throw new EventFailure(`The sound of clip ${clipID} is not on this device: ${showPath(path)} is missing.`);
  return { path, startMs, durationMs };
}

/** ffmpeg cannot be given a name that is not UTF-8; it reads such a file by a link. */
async function linkPiece(piece: SoundPiece, link: string, links: string[]): Promise<SoundPiece> {
  if (isPlainPath(piece.path)) return piece;
  await rm(link, { force: true });
  await symlink(diskPath(piece.path), link);
  links.push(link);
  return { ...piece, path: link };
}

async function keep(parts: JoinParts, filename: string, sent: Parameters<typeof putFile>[1]): Promise<number> {
  const { client, connection, server, deviceSerial } = parts;
  const { path, bytes, signal } = sent;
  const body = { deviceSerial, filename, fileSize: bytes, sHA256Hash: await hashRecording(path, signal) };
  const file = await client.createFile({ body }, { signal });
  const fileID = file.key ?? 0;
  const address = new URL(file.signedURL ?? '', server);
  // An object store of its own has another address, and does not mark its answers.
  const isPlatform = address.origin === new URL(server).origin;
  await putFile(address.href, { ...sent, ...(isPlatform ? { judge: connection.requirePlatform } : {}) });
  await client.finishFile({ params: { fileID } }, { signal });
  return fileID;
}
