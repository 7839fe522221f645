import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@earshot/client/client';
import { nameBuild } from '@earshot/contract/build-name';
import type { EventOutcome } from '../finish-event.ts';
import type { PendingUpdate } from '../pending-event.ts';
import type { Installation } from './install.ts';
import type { Trial } from './versions.ts';
import { readTrial, removeTrial, versionPath, versionsFolder } from './versions.ts';

/** Confirms this version, if it is on trial, once it has reached the platform. Returns the trial. Throws if it has not. */
export async function confirmVersion(
  { home, hash, confirm }: Installation,
  client: Client,
  deviceSerial: string,
  signal: AbortSignal,
): Promise<Trial | undefined> {
  const trial = await readTrial(home);
  if (trial?.to === hash) {
    await client.listPendingEvents({ body: { deviceSerial } }, { signal });
    await removeTrial(home);
  }
  confirm();
  return trial;
}

/** How an update ended that a former process began. */
export function outcomeOfUpdate(
  update: PendingUpdate,
  running: string | undefined,
  trial: Trial | undefined,
): EventOutcome {
  const { from, to } = update;
  const [former, wanted] = [nameBuild(update.fromVersion, from), nameBuild(update.toVersion, to)];
  if (running === to) return { isDone: true, result: `Version ${wanted} is running; the former one was ${former}.` };
  const isSame = trial?.from === from && trial.to === to;
  const reason = (isSame ? trial.failure : undefined) ?? 'the agent stopped before the new version was started';
  return { isDone: false, result: `Version ${wanted} was not kept: ${reason}. Version ${former} is running.` };
}

/** Removes versions other than this one and the one before it, and the trial of an update that has ended. */
export async function removeFormer({ home, hash }: Installation, from: string): Promise<void> {
  await removeTrial(home);
  const kept = new Set([hash, from].map((each) => versionPath(home, each)));
  for (const name of await readdir(versionsFolder(home))) {
    const path = join(versionsFolder(home), name);
    if (!kept.has(path)) await rm(path, { force: true });
  }
}
