import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { reservedSerials, serialLength } from '@earshot/contract/device';
import { defineCommand, defineGroup } from '../command.ts';
import { countOf } from '../count-of.ts';
import { exitCodes, Failure } from '../failure.ts';
import { importRdio } from '../import/import-rdio.ts';
import type { LeftOut } from '../sound-files.ts';
import { findSoundFiles } from '../sound-files.ts';
import type { FileToUpload } from '../upload-files.ts';
import { reportLeftOut, uploadFiles } from '../upload-files.ts';
import { checkZone, findOrAddDevice, uploadOptions } from './upload.ts';

/** A serial from the name of a folder. */
function serialOfFolder(name: string): string {
  const serial = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, serialLength);
  const isReserved = (reservedSerials as readonly string[]).includes(serial);
  return serial === '' || isReserved ? `folder-${serial || 'unnamed'}` : serial;
}

const folderCommand = defineCommand({
  name: 'folder',
  summary: 'Import a tree of recordings: each folder in it is a device',
  description:
    'The folders directly in FOLDER become devices, named like them; devices that exist are used. Their sound files, at any depth, are uploaded as “earshot upload” does. Repeating the command adds only what is new.',
  operands: [{ name: 'FOLDER', completes: 'folder', help: 'the folder that contains one folder for each device' }],
  options: { dryRun: { kind: 'flag', help: 'show what would be imported' }, ...uploadOptions },
  examples: [
    { line: 'earshot import folder recordings/ --dry-run', text: 'first see which devices there will be' },
    { line: 'earshot import folder recordings/ --time-zone Europe/Zurich', text: 'import' },
  ],
  async run(context) {
    const { options, operands, io, output, json } = context;
    checkZone(options.timeZone);
    const root = resolve(io.folder, operands[0]!);
    const entries = await readdir(root, { withFileTypes: true });
    const folders = entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
    if (folders.length === 0) {
      throw new Failure(
        `${root} has no folders. “earshot upload --device DEVICE ${basename(root)}” uploads its files.`,
        exitCodes.notFound,
      );
    }
    const connection = options.dryRun ? undefined : await context.connect();
    const files: FileToUpload[] = [];
    const leftOut: LeftOut[] = entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ path: join(root, name), reason: 'in no folder of a device', isFault: false }));
    for (const name of folders.toSorted()) {
      const found = await findSoundFiles([join(root, name)]);
      const { paths } = found;
      leftOut.push(...found.leftOut);
      const serial = serialOfFolder(name);
      if (!connection) {
        if (json) output.record({ folder: name, deviceSerial: serial, files: paths.length });
        else output.say(`${name} → device ${serial}: ${countOf(paths.length, 'file')}`);
      } else if (paths.length > 0) {
        const deviceID = await findOrAddDevice(connection.client, serial, true);
        files.push(...paths.map((path) => ({ path, deviceID })));
      }
    }
    if (!connection) return reportLeftOut(context, leftOut);
    await uploadFiles(context, connection, files, { zone: options.timeZone, atOnce: options.parallel, leftOut });
  },
});

const rdioCommand = defineCommand({
  name: 'rdio',
  summary: 'Import the calls of rdio-scanner from its SQLite file',
  description:
    'Each radio system, and each site of it, becomes a device; talkgroups keep their names. The calls go through an upload key: EARSHOT_UPLOAD_KEY, or one that is made for the import. Stop rdio-scanner first, or use a copy of its file. An import that was stopped continues, and a call that the server has is not stored again.',
  operands: [{ name: 'FILE', completes: 'file', help: 'rdio-scanner.db, of version 6 or 7' }],
  options: { restart: { kind: 'flag', help: 'look at all calls again, from the first' } },
  examples: [
    { line: 'earshot import rdio rdio-scanner.db', text: 'all calls; Ctrl-C stops, the same command continues' },
  ],
  async run(context) {
    const { options, operands, io } = context;
    const connection = await context.connect();
    await importRdio(context, connection, { path: resolve(io.folder, operands[0]!), restart: options.restart });
  },
});

export const importCommand = defineGroup({
  name: 'import',
  summary: 'Bring recordings from elsewhere',
  commands: [folderCommand, rdioCommand],
});
