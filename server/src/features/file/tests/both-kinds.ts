import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { openStorage } from '@earshot/server/platform/storage/storage';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe } from 'vitest';
import { emptyPlace, optionsOf, theObjectStore, useObjectStore } from '../../../platform/storage/tests/both-kinds.ts';

export interface FileWorld {
  readonly server: TestServer;
  /** The storage of the server, for direct checks. */
  readonly storage: Storage;
}

/** Runs the same tests with files in a folder and in a real object store. */
export function describeBothKinds(name: string, body: (world: () => FileWorld) => void): void {
  useObjectStore();
  for (const kind of ['folder', 's3'] as const) {
    describe(`${name}: ${kind}`, optionsOf(kind), () => {
      let world: FileWorld | undefined;
      const undo: (() => Promise<unknown>)[] = [];
      beforeAll(async () => {
        const settings = kind === 's3' ? { ...theObjectStore(), url: emptyPlace() } : await folderSettings(undo);
        const { url, accessKey, secretKey } = settings;
        const server = await startTestServer({ storage: { url, accessKey, secretKey } });
        undo.push(() => server.stop());
        world = { server, storage: openStorage({ ...settings, dataDir: '' }) };
      });
      afterAll(async () => {
        for (const step of undo.toReversed()) await step();
      });
      body(() => {
        if (!world) throw new Error('the server is not running');
        return world;
      });
    });
  }
}

async function folderSettings(undo: (() => Promise<unknown>)[]) {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-files-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return { url: pathToFileURL(folder).href, accessKey: '', secretKey: '' };
}
