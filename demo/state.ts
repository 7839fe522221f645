import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A recording on a simulated device: when it began, and which sentence of its story it is. */
export interface KeptRecording {
  readonly startMs: number;
  readonly sentence: number;
  clipID?: number;
  isUploaded?: boolean;
}

export interface KeptRecorder {
  readonly deviceID: number;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly recordings: KeptRecording[];
}

/** What the demo remembers between two runs. */
export interface DemoState {
  readonly email: string;
  readonly password: string;
  /** Of the server that was started last. */
  url?: string;
  serverPid?: number;
  demoPid?: number;
  uploadKey?: string;
  /** Of the large demo: a person who may only read, with the same password. Set when it is filled. */
  reader?: string;
  /** Recordings are planned until this moment. */
  plannedUntilMs?: number;
  readonly recorders: Record<string, KeptRecorder>;
}

/** Where the platform is, and where the demo keeps everything that it makes. */
export interface DemoPlace {
  readonly checkout: string;
  readonly folder: string;
}

const stateFile = (folder: string): string => join(folder, 'demo.json');

export async function readDemoState({ folder }: DemoPlace): Promise<DemoState | undefined> {
  const text = await readFile(stateFile(folder), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as DemoState);
}

export const createDemoState = (): DemoState => ({
  email: 'demo@example.org',
  password: randomBytes(9).toString('base64url'),
  recorders: {},
});

/** Saves changes at once, one after the other. */
export function createSaver({ folder }: DemoPlace, state: DemoState): () => Promise<void> {
  const path = stateFile(folder);
  let before: Promise<void> = Promise.resolve();
  const save = async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  return () => (before = before.then(save, save));
}
