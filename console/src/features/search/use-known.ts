import { useMemo } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { allTags } from '../audio-clip/public.ts';
import { allDevices } from '../device/public.ts';
import { someTalkgroups } from '../talkgroup/public.tsx';
import type { SearchState } from './address.ts';
import type { Known } from './typed.ts';

/** The talkgroups of the device of a search, or of all devices. */
export const useTalkgroups = ({ deviceIDList = [] }: SearchState) =>
  useQuery(someTalkgroups(deviceIDList.length === 1 ? (deviceIDList[0] ?? 0) : 0));

/** What typed filters are compared with; undefined until it is loaded. */
export function useKnown(search: SearchState): Known | undefined {
  const { data: devices } = useQuery(allDevices);
  const { data: tags } = useQuery(allTags);
  const { data: talkgroups } = useTalkgroups(search);
  return useMemo(
    () => (devices && tags && talkgroups ? { devices, tags, talkgroups } : undefined),
    [devices, tags, talkgroups],
  );
}
