import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../process/server-process.ts';

/* The scripts are plain JavaScript, so that they run before anything is built; here are the types of what the tests call. */

interface VersionScript {
  readonly findVersion: (root: string) => string | undefined;
  readonly compareVersions: (one: string, other: string) => number;
}

interface ChangelogScript {
  readonly releaseChangelog: (text: string, version: string, date: string) => string;
}

interface ChecksumScript {
  readonly listChecksums: (folder: string) => string;
}

interface BillScript {
  readonly writeBillOfMaterials: (lock: unknown, version: string) => string;
}

interface MigrationScript {
  readonly findMigrationFaults: (root: string, commit: string) => string[];
}

interface NoticeScript {
  readonly bundledInPrograms: readonly string[];
  readonly writeNotices: (root: string, file: string, names: readonly string[]) => string;
}

const load = async (name: string): Promise<unknown> => import(pathToFileURL(join(repository, 'scripts', name)).href);

export const loadVersionScript = async () => (await load('version.mjs')) as VersionScript;
export const loadChangelogScript = async () => (await load('release/changelog.mjs')) as ChangelogScript;
export const loadChecksumScript = async () => (await load('release/checksums.mjs')) as ChecksumScript;
export const loadBillScript = async () => (await load('release/bill-of-materials.mjs')) as BillScript;
export const loadMigrationScript = async () => (await load('check-migrations.mjs')) as MigrationScript;
export const loadNoticeScript = async () => (await load('third-party.mjs')) as NoticeScript;
