import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { downloadSound } from '@earshot/client/download';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Connection, Context } from '../command.ts';
import { defineCommand } from '../command.ts';
import { countOf } from '../count-of.ts';
import { deviceKeysByWord } from '../devices.ts';
import { explainError } from '../explain-error.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { readPages } from '../listing.ts';
import type { ProgressBars } from '../progress.ts';
import { rangeBody, rangeOptions } from '../range.ts';
import { showBytes, showTime } from '../time.ts';
import { forEachAtOnce } from '../work-list.ts';
import { startMsOfClip } from './clips.ts';
import { readKey } from './events.ts';

type NamedClip = AudioClip & { readonly deviceName?: string; readonly title?: string };

export const downloadCommand = defineCommand({
  name: 'download',
  summary: 'Download the sound of clips',
  description:
    'Named clips, or all clips of devices in a range. A download that was interrupted continues, and files that are complete are skipped, so the command can be repeated.',
  operands: [{ name: 'CLIP', isOptional: true, isRepeated: true, help: 'numbers of clips' }],
  options: {
    device: {
      kind: 'text',
      short: 'd',
      value: 'DEVICE',
      isRepeated: true,
      completes: 'device',
      help: 'all clips of this device',
    },
    ...rangeOptions,
    output: {
      kind: 'text',
      short: 'o',
      value: 'FOLDER',
      completes: 'folder',
      fallback: '.',
      help: 'where files are written; - is standard output, for one clip',
    },
    parallel: { kind: 'integer', value: 'N', least: 1, most: 16, fallback: 3, help: 'downloads at the same time' },
  },
  examples: [
    { line: 'earshot download 4711 4712', text: 'two clips, into this folder' },
    { line: 'earshot download --device recorder-17 --since yesterday --output night/', text: 'a night of one device' },
    { line: 'earshot download 4711 -o - | ffplay -', text: 'to another program' },
  ],
  async run(context) {
    const { options, operands, io, output, json } = context;
    const isFiltered = options.device.length > 0 || options.since !== undefined;
    if (operands.length > 0 === isFiltered) {
      throw usageFailure('Name clips by their numbers, or choose them with --device and --since, not both.');
    }
    const connection = await context.connect();
    if (options.output === '-') return writeToOutput(context, connection, operands);
    const folder = resolve(io.folder, options.output);
    await mkdir(folder, { recursive: true });
    const shown = (path: string) => (path.startsWith(`${io.folder}/`) ? relative(io.folder, path) : path);
    const bars = output.progress();
    const counts = { downloaded: 0, skipped: 0, failed: 0 };
    const report = (state: keyof typeof counts, clip: NamedClip, path: string, line: string) => {
      counts[state] += 1;
      if (json) output.record({ state, audioClipID: clip.key, path });
      else bars.note(line);
    };
    const download = async (clip: NamedClip) => {
      const label = `clip ${clip.key}`;
      try {
        const { path, isNew, size } = await downloadClip(connection, clip, folder, bars, io.signal);
        if (isNew) report('downloaded', clip, path, `✓ ${shown(path)}  ${showBytes(size)}`);
        else report('skipped', clip, path, `= ${shown(path)}: it is there`);
      } catch (error) {
        if (io.signal.aborted) return;
        report('failed', clip, '', `✗ ${label}: ${explainError(error, connection.url).message}`);
      } finally {
        bars.end(label);
      }
    };
    try {
      for await (const group of clipsToDownload(connection, operands, options)) {
        await forEachAtOnce(group, options.parallel, io.signal, download);
      }
    } finally {
      bars.close();
    }
    const { downloaded, skipped, failed } = counts;
    if (!json) output.note(`${downloaded} downloaded, ${skipped} already there, ${failed} failed.`);
    if (failed > 0) {
      throw new Failure(
        `${countOf(failed, 'clip')} not downloaded.`,
        downloaded + skipped > 0 ? exitCodes.partial : exitCodes.failed,
      );
    }
  },
});

interface Chosen {
  readonly device: readonly string[];
  readonly since: number | undefined;
  readonly until: number | undefined;
}

async function* clipsToDownload(
  { client }: Connection,
  operands: readonly string[],
  options: Chosen,
): AsyncGenerator<readonly NamedClip[]> {
  if (operands.length > 0) {
    const keys = operands.map((word) => readKey(word, 'CLIP'));
    yield await Promise.all(keys.map((audioClipID) => namedClip(client, audioClipID)));
    return;
  }
  const deviceIDList = await deviceKeysByWord(client, options.device);
  const body = {
    ...(deviceIDList ? { deviceIDList } : {}),
    ...rangeBody(options),
    audioClipStatus: audioClipStatus.available,
    order: 'asc',
  };
  yield* readPages(Infinity, (page) => client.listAudioClipPage({ body: { ...body, ...page } }));
}

const extensions: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/webm': 'webm',
};

/** A server of version 0.1 has no titles. */
async function namedClip(client: Client, audioClipID: number): Promise<NamedClip> {
  const params = { audioClipID };
  const clip = await client.getAudioClip({ params });
  const { title } = await client.getAudioClipRecording({ params }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return { title: undefined };
    throw error;
  });
  return { ...clip, ...(title === undefined ? {} : { title }) };
}

/**
 * `20261115-083000_north-gate_dawn-chorus_4711.wav`: sorted by time, without characters that mean something elsewhere. The
 * key keeps clips with the same title apart. A title without letters is left out: it is the time, as recorders write it.
 */
export function fileNameOf(clip: NamedClip, contentType: string): string {
  const time = showTime(startMsOfClip(clip)).replaceAll(/[-:]/g, '').replace(' ', '-');
  const device = plainWords(clip.deviceName ?? `device-${clip.deviceID}`) || 'device';
  const title = /\p{L}/u.test(clip.title ?? '') ? `${plainWords(clip.title ?? '')}_` : '';
  const extension = extensions[contentType.split(';', 1)[0]!.trim()] ?? 'bin';
  return `${time}_${device}_${title}${clip.key}.${extension}`;
}

const plainWords = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase();

/** Bytes go to `.part` until all are there; beside it stands the version of the sound that they belong to. */
async function downloadClip(
  { clientOptions }: Connection,
  clip: NamedClip,
  folder: string,
  bars: ProgressBars,
  signal: AbortSignal,
): Promise<{ path: string; size: number; isNew: boolean }> {
  const part = join(folder, `.earshot-${clip.key}.part`);
  const etag = await readFile(`${part}.etag`, 'utf8').catch(() => undefined);
  const offset =
    etag === undefined
      ? 0
      : await stat(part).then(
          ({ size }) => size,
          () => 0,
        );
  const label = `clip ${clip.key}`;
  let size = 0;
  const sound = await downloadSound(clientOptions, clip.key ?? 0, {
    ...(etag === undefined || offset === 0 ? {} : { from: { offset, etag } }),
    signal,
    onProgress: (bytes) => bars.set(label, bytes / size, `${showBytes(bytes)} of ${showBytes(size)}`),
    onRetry: () => bars.set(label, undefined, 'the connection was lost; trying again'),
  });
  size = sound.size;
  const path = join(folder, fileNameOf(clip, sound.contentType));
  if ((await stat(path).catch(() => undefined))?.size === size) {
    await sound.body.cancel();
    return { path, size, isNew: false };
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${part}.etag`, sound.etag);
  const file = createWriteStream(part, { flags: sound.offset > 0 ? 'r+' : 'w', start: sound.offset });
  await pipeline(Readable.fromWeb(sound.body as never), file, { signal });
  await rename(part, path);
  await rm(`${part}.etag`, { force: true });
  return { path, size, isNew: true };
}

async function writeToOutput(
  { io }: Pick<Context<unknown>, 'io'>,
  connection: Connection,
  operands: readonly string[],
): Promise<void> {
  if (operands.length !== 1) throw usageFailure('--output - is for one clip. Name one.');
  if (io.stdout.isTTY) throw usageFailure('Sound is not written to a terminal. Pipe it to a program or name a folder.');
  const sound = await downloadSound(connection.clientOptions, readKey(operands[0]!, 'CLIP'), { signal: io.signal });
  await pipeline(Readable.fromWeb(sound.body as never), io.stdout, { end: false, signal: io.signal });
}
