import { rootOfPeaks } from '@earshot/contract/audit-tree';
import { createNoteSigner } from '@earshot/contract/signed-note';
import { verifyCustody } from '@earshot/contract/verify-custody';
import { expect, test } from 'vitest';
import { makeStatement, signCustody } from '../testing/custody-file.ts';
import { createRandom } from '../testing/random.ts';
import { signHead } from '../testing/sealed-log.ts';

const signer = createNoteSigner();
const statement = makeStatement(signer);
const file = signCustody(statement, signer);
const { fingerprint } = signer;
const heads = [statement.head ?? ''];
const rootOfStatement = (): Buffer => Buffer.from(statement.head?.split('\n')[2] ?? '', 'base64');
const check = (text: string) => verifyCustody(text, { fingerprint, heads });
const text = JSON.stringify(file, undefined, 2);

test('a file that is formatted for reading, or not, is verified', () => {
  for (const written of [text, JSON.stringify(file)]) {
    expect(check(written)).toMatchObject({ verdict: 'verified', faults: [] });
  }
});

test.each([
  ['a time', '"startTime": 1,', '"startTime": 999, "startTime": 1,', 'custody.clip.startTime'],
  ['written in another way', '"startTime": 1,', '"start\\u0054ime": 999, "startTime": 1,', 'custody.clip.startTime'],
  ['an entry', '"userID": 1,', '"userID": 2,\n"userID": 1,', 'custody.proofs.0.entry.userID'],
  ['the whole statement', '"custody": {', '"custody": {"issuedTo": 2}, "custody": {', 'custody'],
  ['the signature', '"signature":', '"signature": "none", "signature":', 'signature'],
])('a field that stands twice is named, although the last one is right: %s', (_, before, after, path) => {
  expect(text).toContain(before);
  const { verdict, faults } = check(text.replace(before, after));
  expect(verdict).toBeUndefined();
  expect(faults).toEqual([
    `In the file, the field ${path} stands twice: a reader may see another value than was checked.`,
  ]);
});

test('a number that is read as another one is named', () => {
  const { verdict, faults } = check(text.replace('"startTime": 1,', '"startTime": 1.00000000000000001,'));
  expect(verdict).toBeUndefined();
  expect(faults[0]).toContain('the number 1.00000000000000001 of custody.clip.startTime is read as 1');
});

test('a field outside of what is signed is named', () => {
  const { verdict, faults } = check(JSON.stringify({ ...file, note: 'checked by the court' }));
  expect(verdict).toBeUndefined();
  expect(faults).toEqual(['The file has the field note, which nobody signed.']);
});

test('a line beside the signature is told', () => {
  const signature = `${file.signature}— checked-by-the-court AAAA\n`;
  expect(check(JSON.stringify({ ...file, signature })).faults).toEqual(['The file has 2 signatures instead of one.']);
});

test('a field of an entry that was not sealed is named, also in a file that was signed with it', () => {
  const [proof] = statement.proofs;
  if (!proof) throw new Error('no proof');
  const entry = { ...proof.entry, comment: 'by mistake' };
  const signed = signCustody({ ...statement, proofs: [{ ...proof, entry }] }, signer);
  expect(check(JSON.stringify(signed)).faults).toEqual([
    `Entry ${entry.key} has the field comment, which was not sealed.`,
  ]);
});

test('no change of a single character is accepted, but in white space', () => {
  const random = createRandom(7);
  const accepted: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    const at = random(text.length);
    const put = ['"', '0', '9', 'x', ' ', '{', '}', ',', ':', '.', '\\'][random(11)] ?? '';
    const changed = text.slice(0, at) + put + text.slice(at + random(2));
    const isSame = JSON.stringify(parsed(changed)) === JSON.stringify(file);
    if (check(changed).verdict === 'verified' && !isSame) accepted.push(changed.slice(at - 20, at + 20));
  }
  expect(accepted).toEqual([]);
});

function parsed(changed: string): unknown {
  try {
    return JSON.parse(changed);
  } catch {
    return undefined;
  }
}

test('another log of the same size, and a fork since the head that was sent away, are found', () => {
  const other = signHead(signer, { size: 1, root: rootOfPeaks([Buffer.alloc(32)]) });
  expect(verifyCustody(text, { fingerprint, heads: [other] }).faults).toEqual([
    'The log of this file has another root at size 1 than the head kept elsewhere.',
  ]);
  const [first, second] = [rootOfStatement(), Buffer.alloc(32, 2)];
  const head = signHead(signer, { size: 2, root: rootOfPeaks([first, second]) });
  const growth = { formerSize: 1, hashes: [first, second].map((hash) => hash.toString('hex')) };
  const proofs = statement.proofs.map((proof) => ({ ...proof, path: [second.toString('hex')] }));
  const grown = JSON.stringify(signCustody({ ...statement, head, growth, proofs }, signer));
  expect(verifyCustody(grown, { fingerprint, heads })).toMatchObject({ verdict: 'verified', keptSize: 1, faults: [] });
  expect(verifyCustody(grown, { fingerprint, heads: [other] }).verdict).toBeUndefined();
});

test('a head that the installation did not sign neither verifies nor accuses', () => {
  const root = rootOfPeaks([]);
  for (const forged of [signHead(createNoteSigner(), { size: 1, root }), statement.head?.replace(/— .*/, '') ?? '']) {
    const found = verifyCustody(text, { fingerprint, heads: [forged] });
    expect(found).toMatchObject({ verdict: 'signed', keptSize: undefined, faults: [] });
  }
});

test('the head of an empty log verifies nothing', () => {
  const growth = { formerSize: 0, hashes: [rootOfStatement().toString('hex')] };
  const signed = JSON.stringify(signCustody({ ...statement, growth }, signer));
  const empty = signHead(signer, { size: 0, root: rootOfPeaks([]) });
  const found = verifyCustody(signed, { fingerprint, heads: [empty] });
  expect(found).toMatchObject({ verdict: 'signed', keptSize: undefined, faults: [] });
});
