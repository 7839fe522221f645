import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGrowingTree } from '@earshot/contract/audit-tree';
import { expect, test } from 'vitest';
import { openCli } from '../testing/run-cli.ts';
import { makeLog, signHead } from '../testing/sealed-log.ts';

test('the exit code tells verified, incomplete and faulty apart', async () => {
  const { header, lines, kept, signer } = makeLog(60, 20);
  const cli = await openCli();
  await mkdir(join(cli.home, 'heads'));
  for (const { name, note } of kept) await writeFile(join(cli.home, 'heads', name), note);
  const verify = (...more: readonly string[]) =>
    cli.run(['verify-audit', 'log.jsonl', '--key', signer.fingerprint, '--heads', 'heads', ...more]);
  const write = (head: string, count: number) =>
    writeFile(
      join(cli.home, 'log.jsonl'),
      [{ ...header, head }, ...lines.slice(0, count)].map((line) => `${JSON.stringify(line)}\n`).join(''),
    );

  await write(header.head, 60);
  expect(await verify()).toMatchObject({ code: 0, out: expect.stringMatching(/^verified: 60 entries/) as string });

  const tree = createGrowingTree();
  for (const { hash } of lines.slice(0, 50)) tree.append(Buffer.from(hash, 'hex'));
  await write(signHead(signer, { size: 50, root: tree.root() }), 50);
  const older = await verify();
  expect(older).toMatchObject({ code: 6, err: expect.stringContaining('The check is not complete') as string });
  expect(older.out).toContain('leaves 50 to 59: not in the export');
  expect(older.out).toContain('incomplete: 40 of 50 entries agree with 2 heads');
  expect((await verify('--json')).records()).toMatchObject([{ verdict: 'incomplete', gaps: [{ from: 50, to: 59 }] }]);

  await write(header.head, 50);
  expect((await verify()).code).toBe(1);
});
