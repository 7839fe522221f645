import type { ItemType } from '@earshot/contract/collection-item';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { mostRowsCounted } from '@earshot/contract/sorted-page';
import { largestCount } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import { signedInUser } from '../../lib/session.ts';
import type { ChosenItem } from './add-items.ts';

export interface ItemCandidate extends ChosenItem {
  /** The serial, the email or the device. */
  readonly under: string;
}

export interface ItemCandidates {
  readonly found: readonly ItemCandidate[];
  readonly total: number;
  readonly isExact: boolean;
}

/** What can be added to a collection, and contains the text. */
export const findItemCandidates: Readonly<Record<ItemType, (text: string, count: number) => Promise<ItemCandidates>>> =
  {
    async device(searchText, count) {
      const body = { searchText, count };
      const { results, total, isExact } = await api.listDevicePage({ body });
      const found = results.map((row) => ({ itemID: row.key, name: row.deviceName, under: row.deviceSerial }));
      return { found, total, isExact };
    },
    async user(text) {
      const people = await api.listUsers();
      const wanted = text.toLowerCase();
      const found = people
        .filter(({ key }) => key !== signedInUser().userID)
        .map(({ key = 0, displayName, email = '' }) => ({ itemID: key, name: displayName || email, under: email }))
        .filter(({ name, under }) => `${name} ${under}`.toLowerCase().includes(wanted));
      return { found, total: found.length, isExact: true };
    },
    async file(title, count) {
      const { results, next } = await api.listAudioClipPage({
        body: { title, audioClipStatus: audioClipStatus.available, count },
      });
      const found = results.flatMap((clip) =>
        clip.fileID === undefined
          ? []
          : [{ itemID: clip.fileID, name: clip.title ?? 'Recording', under: placeOf(clip.deviceName, clip.startTime) }],
      );
      return { found, total: found.length, isExact: next === undefined };
    },
  };

const placeOf = (deviceName = '', startTime = 0): string =>
  `${deviceName}, ${new Date(startTime * 1_000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}`;

/** All devices that match, as far as they are counted. */
export async function findMatchingDevices(searchText: string): Promise<readonly ChosenItem[]> {
  const items: ChosenItem[] = [];
  let cursor: string | undefined;
  do {
    const body = { searchText, count: largestCount, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.listDevicePage({ body });
    items.push(...page.results.map((row) => ({ itemID: row.key, name: row.deviceName })));
    cursor = page.next;
  } while (cursor !== undefined && items.length < mostRowsCounted);
  return items;
}
