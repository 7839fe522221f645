import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runLauncher } from './launcher.ts';
import type { Trial } from './versions.ts';
import { hashOfVersion, readCurrent, readTrial, switchCurrent, versionPath, writeTrial } from './versions.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'earshot-launcher-'));
  await mkdir(join(home, 'versions'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const store = async (content: string): Promise<string> => {
  const hash = hashOfVersion(Buffer.from(content));
  await writeFile(versionPath(home, hash), content);
  return hash;
};
const logRun = (name: string) => `import { appendFileSync } from 'node:fs';
appendFileSync(process.env.EARSHOT_AGENT_HOME + '/runs', '${name} ');`;
/** Ends the launcher too, with the exit code for a configuration that cannot be used. */
const former = `${logRun('former')} process.exit(78);`;
const endsAtOnce = `${logRun('new')} process.exit(1);`;
const confirms = `${logRun('new')}
import { rmSync } from 'node:fs';
rmSync(process.env.EARSHOT_AGENT_HOME + '/trial');
process.send('confirmed', () => process.exit(78));`;

/** Starts the launcher as after a power loss, with these files. */
async function launch(version: string, trialOf: (from: string, to: string) => Trial | undefined, isSwitched: boolean) {
  const [from, to] = [await store(former), await store(version)];
  const trial = trialOf(from, to);
  if (trial) await writeTrial(home, trial);
  await switchCurrent(home, isSwitched ? to : from);
  const printed: string[] = [];
  const code = await runLauncher({
    home,
    configPath: join(home, 'config.json'),
    environment: {},
    print: (text) => printed.push(text),
    signal: new AbortController().signal,
  });
  expect(code).toBe(78);
  const runs = (await readFile(join(home, 'runs'), 'utf8')).trim();
  const current = (await readCurrent(home)) === from ? 'former' : 'new';
  return { runs, current, failure: (await readTrial(home))?.failure };
}

test('a version that confirms stays', async () => {
  expect(await launch(confirms, (from, to) => ({ from, to, starts: 0 }), true)).toEqual({
    runs: 'new',
    current: 'new',
    failure: undefined,
  });
});

test('a version that ends before it confirms is replaced by the former one', async () => {
  expect(await launch(endsAtOnce, (from, to) => ({ from, to, starts: 0 }), true)).toEqual({
    runs: 'new former',
    current: 'former',
    failure: 'exit code 1',
  });
});

test('a version that was started three times without confirming is not started again', async () => {
  expect(await launch(confirms, (from, to) => ({ from, to, starts: 3 }), true)).toEqual({
    runs: 'former',
    current: 'former',
    failure: 'it was started 3 times and did not confirm',
  });
});

test('a trial before the switch leaves the former version', async () => {
  expect(await launch(confirms, (from, to) => ({ from, to, starts: 0 }), false)).toEqual({
    runs: 'former',
    current: 'former',
    failure: undefined,
  });
});

test('a way back that was interrupted is completed', async () => {
  expect(await launch(confirms, (from, to) => ({ from, to, starts: 1, failure: 'it ended' }), true)).toEqual({
    runs: 'former',
    current: 'former',
    failure: 'it ended',
  });
});
