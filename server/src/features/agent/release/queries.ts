import type { AgentRelease } from '@earshot/contract/agent-release';
import type { Db } from '../../../platform/database/connect.ts';

/** The agent, or the program that starts it. */
export type Program = 'agent' | 'launch';

export async function releaseExists(db: Db, sha256: string): Promise<boolean> {
  const rows = await db`select 1 from agent_releases where sha256 = ${sha256}`;
  return rows.length === 1;
}

export interface NewRelease {
  readonly program: Program;
  readonly version: string;
  readonly sha256: string;
  readonly fileSize: number;
}

export async function insertRelease(db: Db, { program, version, sha256, fileSize }: NewRelease): Promise<void> {
  await db`
    insert into agent_releases (sha256, program, version, file_size)
    values (${sha256}, ${program}, ${version}, ${fileSize}) on conflict do nothing`;
}

export async function findProgramSize(db: Db, program: Program, sha256: string): Promise<number | undefined> {
  const [row] = await db<{ fileSize: number }[]>`
    select file_size as "fileSize" from agent_releases where sha256 = ${sha256} and program = ${program}`;
  return row?.fileSize;
}

/** The server adds a few rows each year, one for each version that it shipped. */
export async function listReleases(db: Db, currentSha256: string | undefined): Promise<AgentRelease[]> {
  return db<AgentRelease[]>`
    select sha256, version, file_size as "fileSize", sha256 = ${currentSha256 ?? ''} as current,
      creation_date as "creationDate"
    from agent_releases where program = 'agent' order by creation_date desc, sha256`;
}

export async function findReleaseByHash(
  db: Db,
  sha256: string,
): Promise<{ version: string; sha256: string } | undefined> {
  const [row] = await db<{ version: string; sha256: string }[]>`
    select version, sha256 from agent_releases where program = 'agent' and sha256 = ${sha256}
    order by creation_date desc, sha256 limit 1`;
  return row;
}
