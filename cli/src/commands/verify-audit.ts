import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { defineCommand } from '../command.ts';
import { Failure, usageFailure } from '../failure.ts';
import type { Output } from '../output.ts';
import type { LogReport } from '../verify-audit/report.ts';
import { plainFingerprint } from '@earshot/contract/audit-trust';
import type { KeptNote } from '../verify-audit/verify-log.ts';
import { verifyLog } from '../verify-audit/verify-log.ts';

export const verifyAuditCommand = defineCommand({
  name: 'verify-audit',
  summary: 'Check an export of the sealed audit log, offline',
  description:
    'Says “verified” only with the fingerprint of the installation and with heads that were kept elsewhere; without them the export can only be “consistent” in itself. Get the export from the page of the audit trail.',
  operands: [{ name: 'FILE', help: 'the export', completes: 'file' }],
  options: {
    key: { kind: 'text', value: 'FINGERPRINT', help: 'of a key of the installation, which you kept elsewhere' },
    heads: { kind: 'text', value: 'FOLDER', completes: 'folder', help: 'the heads that the server has sent away' },
  },
  examples: [{ line: 'earshot verify-audit audit.jsonl --key 3f8a… --heads /mnt/heads', text: 'verify an export' }],
  async run({ options, operands, io, output, json }) {
    const [file = ''] = operands;
    const { key, heads } = options;
    if (key !== undefined && plainFingerprint(key).length !== 64) {
      throw usageFailure(
        '--key must be a fingerprint of 64 hexadecimal digits, as the page of the audit trail shows it.',
      );
    }
    const path = resolve(io.folder, file);
    if (!(await stat(path).catch(() => undefined))?.isFile()) throw usageFailure(`There is no file ${file}.`);
    const kept = heads === undefined ? [] : await readHeads(resolve(io.folder, heads));
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
    const report = await verifyLog(lines, { fingerprint: key, heads: kept });
    if (json) output.record(report);
    else showReport(output, report, { hasKey: key !== undefined, hasHeads: kept.length > 0 });
    if (report.verdict === 'faulty') throw new Failure('The export is not what was sealed.');
  },
});

/** All files of the folder and its folders; the server stores nothing else there. */
async function readHeads(folder: string): Promise<KeptNote[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw usageFailure(`The folder ${folder} cannot be read.`);
  });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.txt'))
    .map((entry) => join(entry.parentPath, entry.name));
  if (paths.length === 0) throw usageFailure(`There are no heads in ${folder}.`);
  const kept: KeptNote[] = [];
  for (const path of paths.toSorted()) kept.push({ name: relative(folder, path), note: await readFile(path, 'utf8') });
  return kept;
}

function showReport(output: Output, report: LogReport, given: { hasKey: boolean; hasHeads: boolean }): void {
  const { verdict, size, verifiedSize, headsCompared, prunedCount, fromBeforeCount, faults, notes } = report;
  for (const { text } of faults) output.say(text);
  for (const note of notes) output.say(note);
  if (prunedCount > 0) output.say(`${prunedCount} entries were pruned; only their hashes are left.`);
  if (fromBeforeCount > 0) {
    output.say(`${fromBeforeCount} entries are older than the log; it proves only that they were there when it began.`);
  }
  if (verdict === 'faulty') return;
  if (verdict === 'consistent') {
    const missing = [...(given.hasKey ? [] : ['--key']), ...(given.hasHeads ? [] : ['--heads'])];
    const advice = missing.length > 0 ? `To verify them, give ${missing.join(' and ')}.` : 'No given head covers them.';
    output.say(`consistent: ${size} entries agree with the head of the export. ${advice}`);
    return;
  }
  output.say(
    `verified: ${verifiedSize} entries are what was sealed; ${headsCompared} heads that were kept elsewhere match.`,
  );
  if (verifiedSize < size)
    output.say(`${size - verifiedSize} entries after the newest of these heads are only consistent.`);
}
