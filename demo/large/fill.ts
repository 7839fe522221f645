import type { Client } from '@earshot/client/client';
import type { Pool } from '@earshot/server/platform/database/connect';
import { openRowCopier } from '../../bench/copy-rows.ts';
import { createRandom } from '../day.ts';
import { createSpeech } from '../speech.ts';
import { fillClips } from './fill-clips.ts';
import { fillDevices, fillTalkgroups } from './fill-devices.ts';
import { fillCollections, fillEvents, fillPresets } from './fill-work.ts';
import { planFleet } from './fleet.ts';
import { storeSounds } from './sounds.ts';

/** How many records of each kind. */
export interface InstallationCounts {
  readonly devices: number;
  readonly clips: number;
  readonly presets: number;
  readonly events: number;
  readonly collections: number;
  readonly people: number;
  readonly keys: number;
}

interface InstallationToFill {
  readonly db: Pool;
  readonly session: Client;
  readonly password: string;
  readonly say: (line: string) => void;
  readonly url: string;
  readonly counts: InstallationCounts;
}

/** Fills a new installation. */
export async function fillInstallation({ db, session, password, say, url, counts }: InstallationToFill): Promise<void> {
  const nowMs = Date.now();
  const fleet = planFleet(counts.devices);
  const { userID = 0 } = await session.getSession();
  say('Speaking the sentences that the clips share …');
  const sounds = await storeSounds(session, createSpeech(createRandom(1)));
  say('Adding people and keys …');
  const memberIDs = await addPeople(session, password, counts.people);
  for (let key = 1; key <= counts.keys; key += 1) {
    const { key: apiKeyID = 0 } = await session.createApiKey();
    await session.updateApiKey({ params: { apiKeyID }, body: { aPIKeyDescription: `Export ${key}` } });
  }
  const types = await session.listEventTypes();
  const eventTypes = types
    .filter(({ agentType, key = 0 }) => agentType !== 'Caption' && key < 1_000)
    .map(({ key = 0, eventTypeName = '', agentTypeID = 0 }) => ({
      eventTypeID: key,
      eventType: eventTypeName,
      agentTypeID,
    }));
  const agentTypeIDs = [...new Set(eventTypes.map(({ agentTypeID }) => agentTypeID))].slice(0, 3);
  await db`set statement_timeout = 0`;
  const copier = await openRowCopier(url);
  try {
    say('Adding devices and clips …');
    const firstDevice = await fillDevices({ db, copier, userID, fleet, nowMs, agentTypeIDs });
    await fillTalkgroups(copier, firstDevice);
    await fillClips({ db, copier, userID, fleet, firstDevice, sounds, nowMs, count: counts.clips });
    say('Adding collections, presets and events …');
    const work = { db, copier, userID, firstDevice, deviceCount: fleet.length, nowMs, eventTypes };
    const fileIDs = sounds.slice(0, 5).map(({ fileID }) => fileID);
    const firstCollection = await fillCollections({ ...work, count: counts.collections, memberIDs, fileIDs });
    await fillPresets({ ...work, count: counts.presets, firstCollection, collections: counts.collections });
    await fillEvents({ ...work, count: counts.events });
    await db.unsafe('vacuum analyze');
  } finally {
    await copier.end();
  }
}

/** All of them read only; this one is named when the demo starts. */
export const readerEmail = 'ada@example.org';
const names = ['Ada', 'Ben', 'Chen', 'Dora', 'Emil', 'Fatima', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kim', 'Lena'];

async function addPeople(session: Client, password: string, count: number): Promise<readonly number[]> {
  const keys: number[] = [];
  for (let person = 0; person < count; person += 1) {
    const name = `${names[person % names.length]}${person < names.length ? '' : ` ${person}`}`;
    const email = `${name.toLowerCase().replace(' ', '')}@example.org`;
    const { key = 0 } = await session.createUser({ body: { email, displayName: name, password, role: 'member' } });
    keys.push(key);
  }
  return keys;
}
