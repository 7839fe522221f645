import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Device } from '@earshot/contract/device';

/** Lanes on one page: each loads its own clips. */
export const lanesPerPage = 8;

/** Devices with the newest clips first, then devices that are online. */
export function byLatestClip(devices: readonly Device[], newest: readonly AudioClip[]): readonly Device[] {
  const order = [...new Set(newest.map(({ deviceID = 0 }) => deviceID))];
  const place = ({ key = 0, online = false }: Device): number => {
    const found = order.indexOf(key);
    return found >= 0 ? found : order.length + (online ? 0 : 1);
  };
  return devices.toSorted((a, b) => place(a) - place(b));
}

export interface LanePage {
  readonly shown: readonly Device[];
  /** Counted from 1. */
  readonly page: number;
  readonly pages: number;
  /** Says which devices are shown; empty if all are. */
  readonly text: string;
}

/** The devices on a page; a page that does not exist is the last one. */
export function lanePage(devices: readonly Device[], asked: number): LanePage {
  const pages = Math.max(1, Math.ceil(devices.length / lanesPerPage));
  const page = Math.min(pages, Math.max(1, Math.floor(asked) || 1));
  const first = (page - 1) * lanesPerPage;
  const shown = devices.slice(first, first + lanesPerPage);
  const range = shown.length === 1 ? `${first + 1}` : `${first + 1}–${first + shown.length}`;
  return { shown, page, pages, text: pages === 1 ? '' : `Devices ${range} of ${devices.length.toLocaleString('en')}` };
}
