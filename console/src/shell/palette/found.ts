import { api } from '../../lib/api.ts';
import { dayAndMinute } from '../../lib/ui/clock.ts';
import { startOf } from '../../features/audio-clip/public.ts';
import { nameOf } from '../../features/device/public.ts';
import { listenAddress } from '../../features/search/public.ts';
import { talkgroupText } from '../../features/talkgroup/public.ts';
import type { PaletteGroup } from './entries.ts';

const perGroup = 5;

export const shortestAsked = 2;

/** Records that the server finds, each group with one small request that stops with the signal. */
export const sources: readonly ((text: string, signal: AbortSignal) => Promise<PaletteGroup>)[] = [
  findDevices,
  findTalkgroups,
  findTitles,
  findSaid,
];

async function findDevices(searchText: string, signal: AbortSignal): Promise<PaletteGroup> {
  const devices = await api.listDevices({ body: { searchText, count: perGroup } }, { signal });
  return {
    label: 'Devices',
    entries: devices.map((device) => ({
      id: `device ${device.key}`,
      icon: 'device',
      title: nameOf(device),
      ...(device.deviceDescription ? { under: device.deviceDescription } : {}),
      target: `/devices/${device.key}`,
    })),
  };
}

async function findTalkgroups(searchText: string, signal: AbortSignal): Promise<PaletteGroup> {
  const found = await api.listTalkgroups({ body: { searchText, count: perGroup } }, { signal });
  return {
    label: 'Talkgroups',
    entries: found.map((one) => ({
      id: `talkgroup ${one.deviceID} ${one.talkgroup}`,
      icon: 'tag',
      title: talkgroupText(one),
      under: `${one.talkgroupGroup ? `${one.talkgroupGroup}, ` : ''}talkgroup ${one.talkgroup}`,
      target: `/clips?device=${one.deviceID}&talkgroup=${one.talkgroup}`,
    })),
  };
}

async function findTitles(title: string, signal: AbortSignal): Promise<PaletteGroup> {
  const { results } = await api.listAudioClipPage({ body: { title, count: perGroup } }, { signal });
  return {
    label: 'Clips by title',
    entries: results.map((clip) => ({
      id: `clip ${clip.key}`,
      icon: 'wave',
      title: clip.title ?? '',
      under: `${clip.deviceName ?? ''}, ${dayAndMinute(startOf(clip))}`,
      target: `/clips/${clip.key}`,
    })),
  };
}

async function findSaid(searchText: string, signal: AbortSignal): Promise<PaletteGroup> {
  // A search needs a letter or a digit.
  if (!/[\p{L}\p{N}]/u.test(searchText)) return { label: 'Said', entries: [] };
  const query = { limit: perGroup, offset: 0, order: 'desc' } as const;
  const { results } = await api.searchCaptions({ query, body: { searchText } }, { signal });
  return {
    label: 'Said in clips',
    entries: results.map((hit) => ({
      id: `said ${hit.key}`,
      icon: 'wave',
      title: hit.snippet,
      under: `${hit.deviceName ?? ''}, ${dayAndMinute(startOf(hit))}`,
      target: listenAddress(hit, searchText),
    })),
  };
}
