import type { SoftwareUpdate } from '@earshot/contract/agent-release';
import { invalidField } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import { findReleaseByHash } from './queries.ts';

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
  const release = await findReleaseByHash(db, sha256);
  if (release?.version === version) return release;
  throw invalidField('eventParameters', `of Update_software must name a version of /v1/agentrelease/list`);
}
