import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CustodyStatement } from '@earshot/contract/custody';
import type { CustodyCheck } from '@earshot/contract/verify-custody';
import { verifyCustody } from '@earshot/contract/verify-custody';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { readKeptHeads } from '../verify-audit/read-kept-heads.ts';
import { readKey } from './events.ts';

export const custodyCommand = defineCommand({
  name: 'custody',
  summary: 'Export what is known of a clip, as one signed file',
  description:
    'For the owner of the device and admins. “earshot verify-custody” checks the file, without the platform.',
  operands: [{ name: 'CLIP', help: 'its number' }],
  options: {
    output: { kind: 'text', short: 'o', value: 'FILE', completes: 'file', fallback: '-', help: '- is standard output' },
  },
  examples: [{ line: 'earshot custody 4711 --output custody.json', text: 'into a file' }],
  async run({ operands, options, output, io, connect }) {
    const params = { audioClipID: readKey(operands[0] ?? '', 'clip') };
    const { client } = await connect();
    const custody = await client.exportCustody({ params });
    if (options.output === '-') return output.record(custody);
    await writeFile(resolve(io.folder, options.output), `${JSON.stringify(custody, undefined, 2)}\n`);
    output.note(`Wrote ${options.output}. Check it with “earshot verify-custody ${options.output}”.`);
  },
});

export const verifyCustodyCommand = defineCommand({
  name: 'verify-custody',
  summary: 'Check a custody file offline',
  description:
    'Says “verified” only with the fingerprint of the installation and a head of its audit log that was kept elsewhere. ' +
    'With the fingerprint alone it says “signed”, with neither “consistent”. Any fault ends it with code 1.',
  operands: [{ name: 'FILE', completes: 'file', help: 'as “earshot custody” or the console wrote it' }],
  options: {
    key: { kind: 'text', value: 'FINGERPRINT', help: 'of the key of the installation, as you noted it' },
    heads: {
      kind: 'text',
      value: 'FOLDER',
      completes: 'folder',
      help: 'heads of the audit log that were kept elsewhere',
    },
    sound: { kind: 'text', value: 'FILE', completes: 'file', help: 'a recording that should be the sound of the clip' },
  },
  examples: [
    { line: 'earshot verify-custody custody.json', text: 'whether the file agrees with itself' },
    { line: 'earshot verify-custody custody.json --key 3f1c… --heads /mnt/heads', text: 'whether it can be trusted' },
  ],
  async run({ operands, options, output, io, json }) {
    const text = await readFile(resolve(io.folder, operands[0] ?? ''), 'utf8');
    const kept = options.heads === undefined ? [] : await readKeptHeads(resolve(io.folder, options.heads));
    const check = verifyCustody(text, { fingerprint: options.key, heads: kept.map(({ note }) => note) });
    const fault = options.sound === undefined ? undefined : await soundFault(check, resolve(io.folder, options.sound));
    const faults = [...check.faults, ...(fault === undefined ? [] : [fault])];
    const verdict = faults.length === 0 ? check.verdict : undefined;
    if (json) output.record({ verdict: verdict ?? 'wrong', faults, keptSize: check.keptSize });
    else if (check.statement) describe(output, check.statement);
    if (verdict === undefined) throw new Failure(`Do not trust this file.\n${faults.join('\n')}`);
    if (!json) output.say(verdictTexts[verdict]);
    if (!json && verdict === 'verified') describeNewer(output, check);
  },
});

const verdictTexts: Readonly<Record<NonNullable<CustodyCheck['verdict']>, string>> = {
  consistent: 'Consistent: the file agrees with itself. Give --key to learn who signed it.',
  signed:
    'Signed by this installation. Give --heads with its head of the log, kept elsewhere, to learn that it was not made later.',
  verified: 'Verified: signed by this installation, and its log is, or continues, one whose head was kept elsewhere.',
};

function describeNewer(output: Output, { statement, keptSize = 0 }: CustodyCheck): void {
  const count = statement?.proofs.filter(({ leafIndex }) => leafIndex >= keptSize).length ?? 0;
  if (count > 0) output.say(`${count} of its entries are newer than that head: they are signed only.`);
}

function describe(output: Output, { clip, sound, proofs, unsealed, unknown }: CustodyStatement): void {
  output.say(`Clip ${clip.audioClipID} of device ${clip.deviceID} (${clip.deviceSerial ?? 'without a serial'})`);
  output.say(`Announced ${clip.announcedDate}, uploaded ${sound.uploadedDate ?? 'never, or expired since'}`);
  output.say(`SHA-256 ${sound.sHA256Hash ?? 'unknown'}`);
  for (const { entry } of proofs) output.say(entryText(entry));
  for (const entry of unsealed) output.say(`${entryText(entry)}  (not sealed)`);
  output.say('It cannot know:');
  for (const sentence of unknown) output.say(`- ${sentence}`);
}

interface ShownEntry {
  readonly auditDate?: string;
  readonly action?: string;
  readonly userID?: number;
  readonly aPIKeyID?: number;
  readonly ruleID?: number;
  readonly sHA256Before?: string;
  readonly sHA256After?: string;
}

function entryText({ auditDate, action, userID, aPIKeyID, ruleID, sHA256Before, sHA256After }: ShownEntry): string {
  const by =
    userID === undefined ? 'by nobody known' : `by ${ruleID === undefined ? '' : `rule ${ruleID} of `}person ${userID}`;
  const withKey = aPIKeyID === undefined ? '' : ` with API key ${aPIKeyID}`;
  const hashes = (sHA256Before ?? sHA256After) ? `  ${sHA256Before ?? 'none'} → ${sHA256After ?? 'none'}` : '';
  return `${auditDate}  ${action}  ${by}${withKey}${hashes}`;
}

async function soundFault({ statement }: CustodyCheck, path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const found = hash.digest('hex');
  if (found === statement?.sound.sHA256Hash) return undefined;
  return `The recording has the SHA-256 ${found}, not that of the clip.`;
}
