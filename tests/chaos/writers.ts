import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import type { SimulatedDevice } from '../../cli/src/simulate/device.ts';
import type { WritingFleet } from '../process/writing-fleet.ts';
import type { Accounts } from './ledger.ts';
import type { Random } from './random.ts';

export interface WriterParts {
  readonly client: Client;
  readonly accounts: Accounts;
  readonly devices: readonly SimulatedDevice[];
  /** Adds devices, which become items of the collection. */
  readonly fleet: WritingFleet;
  readonly collectionID: number;
  /** Has clips without sound, whose captions are written by hand. */
  readonly silentDeviceID: number;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** The words of the nth correction of a clip. */
export const correctionText = (clip: string, version: number): string => `${clip} heard for the ${version}. time`;
export const patchText = (name: string): string => `patched ${name}`;
const firstStart = 1_700_000_000;
const clipSeconds = 30;

/** What people and their programs write, until the signal aborts. Resolves when the last write has its outcome. */
export async function startWriters(parts: WriterParts): Promise<unknown> {
  const { signal } = parts;
  const repeat = async (pauseMs: number, work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      await work(turn);
      await sleep(pauseMs);
    }
  };
  return Promise.all([
    repeat(150, (turn) => enqueue(parts, turn)),
    repeat(400, (turn) => requestSound(parts, turn)),
    repeat(200, (turn) => patchAgent(parts, turn)),
    repeat(200, (turn) => correct(parts, turn)),
    repeat(150, () => addItem(parts)),
    repeat(3_000, (turn) => joinClips(parts, turn)),
  ]);
}

const anyOf = <Item>(items: readonly Item[], random: Random): Item | undefined => items[random.below(items.length)];

async function enqueue({ client, accounts, devices, random }: WriterParts, turn: number): Promise<void> {
  const deviceID = anyOf(devices, random)?.deviceID ?? 0;
  const name = `event-${turn}`;
  await accounts.once('event', name, async () => {
    const body = { deviceID, eventType: 'Report_diagnostics', tagString: name };
    return (await client.createEvent({ body })).key;
  });
}

async function requestSound({ client, accounts, devices, random }: WriterParts, turn: number): Promise<void> {
  const device = anyOf(devices, random);
  const clip = device?.clips.findLast(({ clipID, isRequested }) => clipID !== undefined && !isRequested);
  if (!device || !clip) return;
  clip.isRequested = 'unanswered';
  await accounts.once('upload', `upload-${turn}`, async () => {
    await client.requestUpload({ body: { deviceID: device.deviceID, audioClips: [clip.clipID ?? 0] } });
    clip.isRequested = true;
    return clip.clipID;
  });
}

/** Two patches of one agent at the same moment, of different fields: both are kept. */
async function patchAgent({ client, accounts, devices }: WriterParts, turn: number): Promise<void> {
  const deviceSerial = devices[turn % devices.length]?.serial ?? '';
  const name = `patch-${turn}`;
  const body = { deviceSerial, agentType: 'Device', agentIndex: 1 + turn, agentVersion: '1.0.0' };
  const agent = await accounts.until(() => client.registerAgent({ body }));
  const params = { agentID: agent?.key ?? 0 };
  const fields = ['agentDescription', 'recentOutput'] as const;
  const patched = await Promise.all(
    fields.map((field) =>
      accounts.until(() =>
        client.patchAgent({ params, body: [{ op: 'replace', path: `/${field}`, value: patchText(name) }] }),
      ),
    ),
  );
  if (patched.every((each) => each !== undefined)) accounts.ledgers.patch.acknowledged.set(name, params.agentID);
}

/** A caption that is written by hand and corrected once. */
async function correct({ client, accounts, silentDeviceID: deviceID }: WriterParts, turn: number): Promise<void> {
  const startTime = firstStart + turn * clipSeconds;
  const body = { deviceID, startTime, clipLengthInSeconds: clipSeconds - 1 };
  const clip = await accounts.until(() => client.createAudioClip({ body }));
  const params = { captionID: clip?.key ?? 0 };
  const name = `clip ${params.captionID}`;
  const write = (version: number) =>
    accounts.once('correction', correctionText(name, version), async () => {
      const based = version === 1 ? {} : { version: version - 1 };
      await client.correctCaption({ params, body: { transcript: correctionText(name, version), ...based } });
      return params.captionID;
    });
  if ((await write(1)) !== undefined) await write(2);
}

/** The next device that is no item yet, if there is one. */
async function addItem({ client, accounts, fleet, collectionID }: WriterParts): Promise<void> {
  const itemID = fleet.acknowledged[accounts.ledgers.item.acknowledged.size]?.device.key;
  if (itemID === undefined) return;
  const params = { collectionItemID: collectionID };
  const item = await accounts.until(() => client.addCollectionItem({ params, body: { itemType: 'device', itemID } }));
  accounts.ledgers.item.acknowledged.set(String(itemID), item?.key ?? 0);
}

async function joinClips({ client, accounts, devices }: WriterParts, turn: number): Promise<void> {
  const device = devices[turn % devices.length];
  const clips = device?.clips.filter(({ uploadedHash }) => uploadedHash !== undefined).slice(-2);
  if (!device || clips?.length !== 2) return;
  await accounts.once('join', `join-${turn}`, async () => {
    const audioClips = clips.map(({ clipID = 0 }) => ({ key: clipID }));
    const body = { deviceID: device.deviceID, audioClips, gaps: 'close' as const };
    return (await client.concatenateAudioClips({ query: { usevrs: true }, body })).key;
  });
}
