import type { SoftwareUpdate } from '@earshot/contract/agent-release';
import { invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { findRelease } from './queries.ts';

/** The agent, or the program that starts it. */
export type Program = 'agent' | 'launch';

/** The agent that this node ships. */
export interface ShippedAgent {
  readonly version: string;
  readonly sha256: string;
  readonly launchSha256: string;
  /** The installation script, before the address of the server is filled in. */
  readonly script: string;
}

export const updateText = ({ version, sha256 }: SoftwareUpdate): string => JSON.stringify({ version, sha256 });

const format = '{"version": "0.1.0", "sha256": "…"}, a version of /v1/agentrelease/list';

/** Throws unless the parameters name a release that this platform has shipped, and nothing else. */
export async function requireUpdate(db: Db, eventParameters: string): Promise<SoftwareUpdate> {
  const { version, sha256, ...more } = JSON.parse(eventParameters) as Record<string, unknown>;
  if (typeof version !== 'string' || typeof sha256 !== 'string') {
    throw invalidField('eventParameters', `of Update_software must be ${format}`);
  }
  const [other] = Object.keys(more);
  if (other !== undefined) {
    throw invalidField(
      'eventParameters',
      `of Update_software must not have ${JSON.stringify(other.slice(0, 50))}: they must be ${format}`,
    );
  }
  const release = await findRelease(db, { sha256 });
  if (release?.version === version) return release;
  throw invalidField('eventParameters', `of Update_software must name a version of /v1/agentrelease/list`);
}

export const findReleaseByHash = (db: Db, sha256: string): Promise<SoftwareUpdate | undefined> =>
  findRelease(db, { sha256 });
