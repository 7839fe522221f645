import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { expect } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { say } from './speech.ts';

/** Transcripts by name, and searches with the transcripts that they find. Every other transcript must not be found. */
export interface SearchTable<Name extends string> {
  /** A transcript of two parts is two clips, the second directly after the first. */
  readonly transcripts: Readonly<Record<Name, string | readonly [string, string]>>;
  readonly searches: readonly TableSearch<Name>[];
}

export interface TableSearch<Name extends string> {
  readonly searchText: string;
  /** All that contain it, in a clip or across the end of one. */
  readonly exact: readonly Name[];
  /** All that are found only by similar words. */
  readonly similar?: readonly Name[];
  /** For a search that finds less than a person expects: what is missing, and why. */
  readonly missing?: { readonly names: readonly Name[]; readonly reason: string };
}

const hour = 3_600;
const clipSeconds = 60;

/** A person with one device that recorded all transcripts; returns a search by name. */
export async function recordTranscripts(server: SharedServer, transcripts: SearchTable<string>['transcripts']) {
  const { client } = await (await server.addPerson()).withKey();
  const device = await addDevice(client);
  const names = new Map<number, string>();
  for (const [at, [name, said]] of Object.entries(transcripts).entries()) {
    const [first, second] = typeof said === 'string' ? [said] : said;
    const { key } = await say(server.db, client, device, at * hour, first);
    names.set(key, name);
    if (second !== undefined) await say(server.db, client, device, at * hour + clipSeconds + 1, second);
  }
  return (searchText: string, order: string) => searchByName(client, names, searchText, order);
}

async function searchByName(client: Client, names: ReadonlyMap<number, string>, searchText: string, order: string) {
  const { total, results } = await client.searchCaptions({ query: { order, limit: 100 }, body: { searchText } });
  expect(total).toBe(results.length);
  const firstSimilar = results.findIndex(({ isSimilar }) => isSimilar);
  const exact = firstSimilar === -1 ? results : results.slice(0, firstSimilar);
  const namesOf = (hits: typeof results) => hits.map(({ key = 0 }) => names.get(key) ?? `clip ${key}`).toSorted();
  return { exact: namesOf(exact), similar: namesOf(results.slice(exact.length)) };
}
