import { announceAll } from './announce.ts';
import { createBackoff } from './backoff.ts';
import type { AgentConfig } from './config.ts';
import { createVainBytes } from './connection/vain-bytes.ts';
import { keepBudget } from './disk-budget.ts';
import { isInside } from './is-inside.ts';
import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import type { AgentLoop } from './loop.ts';
import { createSignal, pause } from './loop.ts';
import type { Platform } from './platform.ts';
import type { Entry } from './recording.ts';
import { filesOf, largeBytes } from './recording.ts';
import { removeUploaded } from './remove-uploaded.ts';
import { createRefusedRecordings } from './set-aside.ts';
import type { Settings } from './settings.ts';
import { requireProof, transfer } from './transfer.ts';
import type { UploadQueue } from './upload-queue.ts';
import { createUploadQueue } from './upload-queue.ts';
import { noteVanishedAside } from './vanished.ts';

const announceEveryMs = 60_000;
/** Each rewriting of the journal costs writes of a memory card. */
const compactAbove = 5_000;

export interface SendingParts {
  readonly config: AgentConfig;
  readonly version: string;
  readonly log: AgentLog;
  readonly journal: Journal;
  readonly settings: Settings;
  readonly platform: Platform;
}

/** What becomes of the recordings in the journal: they are announced, uploaded and removed. */
export interface Sending {
  readonly uploads: UploadQueue;
  /** Announces new recordings now. */
  announceSoon(): void;
  /** Uploads what is due now. */
  uploadSoon(): void;
  /** Tries the recordings again that the platform refused, and returns their number. */
  retryRecordings(): number;
  /** Why single recordings wait, by their ids. */
  delayed(): ReadonlyMap<string, string>;
  loops(signal: AbortSignal): AgentLoop[];
}

export function createSending({ config, version, log, journal, settings, platform }: SendingParts): Sending {
  const { client, connection, prove } = platform;
  const { deviceSerial } = config;
  const { serverVersion } = connection;
  const recorded = createSignal();
  const lanes = [
    { name: 'uploading', isOf: ({ bytes }: Entry) => bytes <= largeBytes, due: createSignal() },
    { name: 'uploading large recordings', isOf: ({ bytes }: Entry) => bytes > largeBytes, due: createSignal() },
  ];
  const uploadSoon = () => lanes.forEach(({ due }) => due.set());
  const backoff = createBackoff();
  const refused = createRefusedRecordings({ journal, log, version, serverVersion });
  const isRemovable = createIsRemovable(config);
  const staying = new Map<string, string>();
  const vainBytes = createVainBytes();

  const upload = async (entry: Entry, stop: AbortSignal, onProgress?: (bytes: number) => void) => {
    await transfer({ deviceSerial, connection, journal, prove, vainBytes }, entry, stop, onProgress);
    const now = journal.entries.get(entry.id);
    if (!now || !isRemovable(now)) return;
    await requireProof({ journal, prove }, now, stop);
    await removeUploaded({ journal, log, prove }, now, stop);
  };
  const isAtOnce = () => settings.current.upload === 'atOnce';
  const uploads = createUploadQueue({ journal, log, refused, upload, isAtOnce, isRemovable });

  const announce = async (signal: AbortSignal) => {
    await announceAll({ client, deviceSerial, journal, refused, backoff, log, prove }, signal);
    uploadSoon();
    await recorded.wait(announceEveryMs, signal);
  };
  const uploadDue = async ({ isOf, due }: (typeof lanes)[number], signal: AbortSignal) => {
    const idleMs = await uploads.run(signal, isOf);
    await due.wait(Math.min(announceEveryMs, idleMs), signal);
  };
  const tidyUp = async (signal: AbortSignal) => {
    const requireProven = (entry: Entry) => requireProof({ journal, prove }, entry, signal);
    await keepBudget({ journal, log, requireProof: requireProven, staying }, settings.current.diskBudgetMB);
    await noteVanishedAside({ journal, log });
    await journal.compact(compactAbove);
    await pause(announceEveryMs, signal);
  };

  return {
    uploads,
    announceSoon: () => recorded.set(),
    uploadSoon,
    retryRecordings() {
      const count = refused.retryAll();
      uploads.retryAll();
      backoff.clear();
      recorded.set();
      uploadSoon();
      return count;
    },
    delayed: () => new Map([...backoff.reasons, ...uploads.delayed]),
    loops: (signal) => [
      { name: 'announcing', step: () => announce(signal) },
      ...lanes.map((lane) => ({ name: lane.name, step: () => uploadDue(lane, signal) })),
      { name: 'disk budget', step: () => tidyUp(signal) },
    ],
  };
}

/** Whether the files of a recording are removed after its upload. */
function createIsRemovable({ sources }: AgentConfig): (entry: Entry) => boolean {
  const emptied = sources.flatMap((source) => (source.kind === 'folder' && source.removeUploaded ? [source.path] : []));
  return (entry) => entry.isOwn || filesOf(entry).every(({ path }) => emptied.some((folder) => isInside(folder, path)));
}
