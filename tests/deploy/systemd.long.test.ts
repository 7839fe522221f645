import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { whyNotInstalled } from '@earshot/server/testing/installed';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';

/* The unit of deploy/systemd, as systemd's own checks see it. */

const noAnalyze = whyNotInstalled('systemd-analyze')?.replace('systemd-analyze`', 'systemd`');
const unit = join(repository, 'deploy/systemd/earshot.service');

test('systemd accepts every line of the unit', async ({ skip }) => {
  if (noAnalyze !== undefined) return skip(noAnalyze);
  // The program and the folder of the guide are not on this machine.
  const copy = join(await openScratch(), 'earshot.service');
  await writeFile(copy, (await readFile(unit, 'utf8')).replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', copy], {
    encoding: 'utf8',
  });
  const own = stderr.split('\n').filter((line) => line.includes('earshot'));
  expect({ status, own }).toEqual({ status: 0, own: [] });
});

test('the sandbox is rated as good', ({ skip }) => {
  if (noAnalyze !== undefined) return skip(noAnalyze);
  const args = ['security', '--offline=true', '--threshold=20', '--no-pager', unit];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  expect({ status, stdout: status === 0 ? '' : stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
