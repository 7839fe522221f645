import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { expect } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { FormPart, SentCall } from './curl-form.ts';
import { curlForm } from './curl-form.ts';

/* Requests of radio recorders, written as these write them. */

export const rdio = '/api/call-upload';
export const old = '/api/trunk-recorder-call-upload';
export const imported = { status: 200, text: 'Call imported successfully.\n' };
export const sound = tinyWav(0.5);

/** What every protocol tells about the calls of `curl-form.ts`. */
export const full = {
  talkgroup: 4521,
  talkgroupLabel: 'FIRE DISP',
  talkgroupGroup: 'Fire',
  unit: 1_610_018,
  frequency: 851_012_500,
};

export const without = (parts: readonly FormPart[], ...names: readonly string[]) =>
  parts.filter(({ name }) => !names.includes(name));

let lastStart = Math.floor(Date.now() / 1000) - 50_000;

/** A person with an upload key, and uploads with it. */
export async function createRecorder(server: TestServer) {
  await server.db`delete from sign_in_attempts`;
  const owner = await server.addPerson();
  const { secret: key = '', key: uploadKeyID = 0 } = await owner.session.createUploadKey({ body: {} });
  const startTime = (lastStart += 10);
  return {
    owner,
    key,
    uploadKeyID,
    startTime,
    call: (more: Partial<SentCall> = {}): SentCall => ({ key, sound, startTime, talkgroup: 4521, ...more }),
    calls: async (person: Person = owner) =>
      (await person.session.listAudioClipPage({ body: { order: 'asc', count: 1000 } })).results,
    noFileIsLeft: async () => {
      expect(await readdir(join(server.dataDir, 'scratch'))).toEqual([]);
      const files = await server.db`select 1 from files f join devices d on d.key = f.device_id
        where d.user_id = ${owner.userID} and not exists (select 1 from audio_clips c where c.file_id = f.key)`;
      expect(files).toHaveLength(0);
    },
    post: async (path: string, parts: readonly FormPart[]) => {
      const response = await fetch(new URL(path, server.url), { method: 'POST', ...curlForm(parts) });
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
  };
}

export type Recorder = Awaited<ReturnType<typeof createRecorder>>;
