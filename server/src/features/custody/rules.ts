import { setTimeout as sleep } from 'node:timers/promises';
import type { Custody, CustodyStatement } from '@earshot/contract/custody';
import { custodyFormat, CustodyStatement as StatementSchema, writeCustody } from '@earshot/contract/custody';
import { compileSerialiser } from '@earshot/contract/serialisation';
import { notFound } from '../../errors.ts';
import type { Pool } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { requireClip } from '../audio-clip/public.ts';
import type { ReadLog } from '../audit/public.ts';
import { findEntriesOfClip, proveEntries, recordAct, sealEntries, signStatement } from '../audit/public.ts';
import { findClipFacts, findFormerSound } from './queries.ts';
import { describeUnknown } from './unknown.ts';

export interface CustodyParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
  readonly readLog: ReadLog;
}

const mostEntries = 10_000;
const mostAttempts = 10;
const retryMs = 200;
const serialise = compileSerialiser(StatementSchema);

/** The export is recorded and sealed first, so that the file contains it. */
export async function makeCustody(parts: CustodyParts, caller: Caller, clipID: number): Promise<Custody> {
  const { db, readLog } = parts;
  const { deviceID } = await requireClip(db, caller, 'own', clipID);
  await readLog.flush();
  await recordAct(db, caller, 'custody-exported', { recordID: clipID, deviceID });
  const statement = await makeSealed(parts, caller, clipID);
  // As it is sent: with the declared fields only, in their order.
  const custody = JSON.parse(serialise(statement)) as CustodyStatement;
  const text = writeCustody(custody);
  const note = await signStatement(parts, text);
  return { custody, signature: note.slice(text.length + 1) };
}

/** Transactions that began before an entry was written delay its seal, usually for milliseconds. */
async function makeSealed(parts: CustodyParts, caller: Caller, clipID: number): Promise<CustodyStatement> {
  for (let attempt = 1; ; attempt += 1) {
    await sealEntries(parts, { waits: true });
    const statement = await makeStatement(parts, caller, clipID);
    if (statement.unsealed.length === 0 || attempt === mostAttempts) return statement;
    await sleep(retryMs);
  }
}

async function makeStatement({ db }: CustodyParts, caller: Caller, clipID: number): Promise<CustodyStatement> {
  const facts = await findClipFacts(db, clipID);
  if (!facts) throw notFound('audio clip', clipID);
  const { clip, sound, fileID } = facts;
  const place = { clipID, deviceID: clip.deviceID, fileID };
  const { entries, hiddenCount } = await findEntriesOfClip(db, caller, place, mostEntries);
  const { head, keys, proofs, growth } = await proveEntries(
    db,
    entries.map(({ key }) => key),
  );
  const proven = new Set(proofs.map(({ entry }) => entry.key));
  const unsealed = entries.filter(({ key }) => !proven.has(key));
  const isCut = entries.length + hiddenCount === mostEntries;
  return {
    format: custodyFormat,
    version: 1,
    issuedDate: new Date().toISOString(),
    issuedTo: caller.userID,
    clip,
    sound,
    formerSound: await findFormerSound(db, clipID),
    ...(head === undefined ? {} : { head }),
    ...(growth === undefined ? {} : { growth }),
    keys: [...keys],
    proofs: [...proofs],
    unsealed,
    unknown: describeUnknown({ head, hiddenCount, unsealedCount: unsealed.length, isCut }),
  };
}
