import { resolve } from 'node:path';
import type { Client } from '@earshot/client/client';
import { isTimeZone } from '@earshot/contract/time-zone';
import { defineCommand } from '../command.ts';
import { deviceByWord } from '../devices.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { findSoundFiles } from '../sound-files.ts';
import { uploadFiles } from '../upload-files.ts';

export const uploadOptions = {
  timeZone: {
    kind: 'text',
    value: 'ZONE',
    help: "of times without a zone, such as those in file names: Europe/Zurich; this machine's when missing",
  },
  parallel: { kind: 'integer', value: 'N', least: 1, most: 16, fallback: 3, help: 'uploads at the same time' },
} as const;

export function checkZone(zone: string | undefined): void {
  if (zone !== undefined && !isTimeZone(zone)) {
    throw usageFailure(`--time-zone must be a time zone such as Europe/Zurich or UTC, not “${zone}”.`);
  }
}

export const uploadCommand = defineCommand({
  name: 'upload',
  summary: 'Upload recordings: files and folders',
  description:
    'Folders are searched for sound files. When a recording began is read as in the console: from the file (GUANO, BWF, AudioMoth, ID3), its name, or its date. A recording that the server has is skipped: same device, start and sound. An upload that was interrupted continues, so the command can be repeated.',
  operands: [{ name: 'PATH', isRepeated: true, completes: 'file', help: 'files and folders' }],
  options: {
    device: {
      kind: 'text',
      short: 'd',
      value: 'DEVICE',
      completes: 'device',
      help: 'the device that recorded them (needed)',
    },
    create: { kind: 'flag', help: 'add the device if there is none with this serial' },
    start: { kind: 'time', value: 'TIME', help: 'when the recording began, for one file' },
    ...uploadOptions,
  },
  examples: [
    { line: 'earshot upload --device recorder-17 dawn.wav', text: 'one file' },
    { line: 'earshot upload -d recorder-17 --create card/ --time-zone UTC', text: 'a memory card of a new recorder' },
  ],
  async run(context) {
    const { options, operands, io } = context;
    if (options.device === undefined) throw usageFailure('--device is missing: say which device recorded the files.');
    checkZone(options.timeZone);
    const { paths, leftOut } = await findSoundFiles(operands.map((path) => resolve(io.folder, path)));
    if (options.start !== undefined && paths.length !== 1) {
      throw usageFailure(`--start is for one file, but there are ${paths.length}. Upload them one by one.`);
    }
    if (paths.length === 0 && !leftOut.some(({ isFault }) => isFault)) {
      throw new Failure('There are no sound files here.', exitCodes.notFound);
    }
    const connection = await context.connect();
    const deviceID = await findOrAddDevice(connection.client, options.device, options.create);
    await uploadFiles(
      context,
      connection,
      paths.map((path) => ({ path, deviceID })),
      { zone: options.timeZone, startMs: options.start, atOnce: options.parallel, leftOut },
    );
  },
});

export async function findOrAddDevice(client: Client, word: string, mayAdd: boolean): Promise<number> {
  try {
    return (await deviceByWord(client, word)).key;
  } catch (error) {
    if (!(error instanceof Failure && error.exitCode === exitCodes.notFound)) throw error;
    if (!mayAdd) throw new Failure(`${error.message} With --create it is added.`, exitCodes.notFound);
    const device = await client.createDevice({ body: { deviceSerial: word } });
    return device.key ?? 0;
  }
}
