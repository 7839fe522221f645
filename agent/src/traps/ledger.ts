import { createHash } from 'node:crypto';

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A file whose sound is complete, as it lies on the device. */
export interface TrapSound {
  readonly path: Buffer;
  readonly sha256: string;
  readonly bytes: number;
}

/** What the test has put on the device, and what must become of it. */
export interface Ledger {
  /** How often the platform must have each sound, by its SHA-256. */
  readonly expected: Map<string, number>;
  /** Files that can be changed later, because nothing else is expected of them. */
  readonly files: TrapSound[];
  /** Files that are no sound: the agent must name them. */
  readonly named: Buffer[];
  largestBytes: number;
  addSound(path: Buffer, content: Uint8Array): void;
  /** The same recording under another path: the platform has one clip. */
  addSamePath(path: Buffer): void;
  addJunk(path: Buffer): void;
}

export function createLedger(): Ledger {
  const ledger: Ledger = {
    expected: new Map(),
    files: [],
    named: [],
    largestBytes: 0,
    addSound(path, content) {
      const sha256 = sha256Of(content);
      ledger.expected.set(sha256, (ledger.expected.get(sha256) ?? 0) + 1);
      ledger.files.push({ path, sha256, bytes: content.length });
      ledger.largestBytes = Math.max(ledger.largestBytes, content.length);
    },
    addSamePath() {},
    addJunk(path) {
      ledger.named.push(path);
    },
  };
  return ledger;
}
