import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { defineCommand } from '../command.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import type { Output } from '../output.ts';
import { readKeptHeads } from '../verify-audit/read-kept-heads.ts';
import type { LogReport } from '../verify-audit/report.ts';
import { plainFingerprint } from '@earshot/contract/audit-trust';
import { verifyLog } from '../verify-audit/verify-log.ts';

export const verifyAuditCommand = defineCommand({
  name: 'verify-audit',
  summary: 'Check an export of the sealed audit log, offline',
  description:
    'Says “verified” only with the fingerprint of the installation and with heads that were kept elsewhere; without them the export can only be “consistent” in itself. “incomplete” (code 6) means that some of these heads could not be compared with it, code 1 that something is wrong. Get the export from the page of the audit trail.',
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
    const kept = heads === undefined ? [] : await readKeptHeads(resolve(io.folder, heads));
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
    const report = await verifyLog(lines, { fingerprint: key, heads: kept });
    if (json) output.record(report);
    else showReport(output, report, { hasKey: key !== undefined, hasHeads: kept.length > 0 });
    if (report.verdict === 'faulty') throw new Failure('The export is not what was sealed.');
    if (report.verdict === 'incomplete') {
      throw new Failure('The check is not complete: see above what it could not compare.', exitCodes.partial);
    }
  },
});

function showReport(output: Output, report: LogReport, given: { hasKey: boolean; hasHeads: boolean }): void {
  const { verdict, size, verifiedSize, headsCompared, prunedCount, fromBeforeCount, faults, gaps, notes } = report;
  for (const { text } of [...faults, ...gaps]) output.say(text);
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
    verdict === 'incomplete'
      ? `incomplete: ${verifiedSize} of ${size} entries agree with ${headsCompared} heads that were kept elsewhere.`
      : `verified: ${verifiedSize} entries are what was sealed; ${headsCompared} heads that were kept elsewhere match.`,
  );
  if (verifiedSize < size)
    output.say(`${size - verifiedSize} entries after the newest of the heads that match are only consistent.`);
}
