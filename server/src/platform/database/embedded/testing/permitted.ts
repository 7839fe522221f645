import { spawnSync } from 'node:child_process';
import { findBinaries } from '../binaries.ts';

/** Whether this user may enter the folders of the embedded PostgreSQL: not below /root, for example. */
export async function mayRunPostgres(user: { uid: number; gid: number }): Promise<boolean> {
  const { postgres } = await findBinaries();
  return spawnSync(postgres, ['--version'], { ...user, cwd: '/' }).status === 0;
}
