import { filePath } from './format.ts';
import { readFileList } from './save-files.ts';
import type { BackupTarget } from './target.ts';
import { listBackups } from './target.ts';

/** Removes all but the newest backups, remains of interrupted ones, and the files that no backup needs. */
export async function removeOldBackups(target: BackupTarget, keep: number): Promise<readonly string[]> {
  const all = await listBackups(target);
  const kept = all.slice(-keep);
  const newest = kept.at(-1) ?? '';
  const needed = new Set<string>();
  for (const id of kept) for await (const { name } of readFileList(target, id)) needed.add(filePath(name));
  // The manifests go first: a backup without one is incomplete and is never restored.
  const removed = all.slice(0, -keep);
  for (const id of removed) await target.remove(`backups/${id}/manifest.json`);
  for await (const path of target.list('backups/')) {
    const [, id = ''] = /^backups\/([^/]+)\//.exec(path) ?? [];
    // A later one is being made by another process.
    if (!kept.includes(id) && id < newest) await target.remove(path);
  }
  for await (const path of target.list('files/')) if (!needed.has(path)) await target.remove(path);
  return removed;
}
