import { useState } from 'preact/hooks';
import { setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { UserText } from '../../lib/ui/elements.tsx';
import { dayText, viewerZone } from '../../lib/ui/clock.ts';
import { RangePicker } from '../../lib/ui/day-picker.tsx';
import { PickList } from '../../lib/ui/filter-pick.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { allTags } from '../audio-clip/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { talkgroupText } from '../talkgroup/public.ts';
import { TalkgroupInput } from '../talkgroup/public.tsx';
import type { SearchState } from './address.ts';
import { dayOf, dayRange, writeQuery } from './address.ts';
import { useTalkgroups } from './use-known.ts';

const change = (search: SearchState) => setQuery(writeQuery(search), 'push');

/** Filters by device, tag, talkgroup and day. Several devices and tags can be selected. */
export function Filters({ search }: { readonly search: SearchState }) {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: tags = [] } = useQuery(allTags);
  const { data: talkgroups = [] } = useTalkgroups(search);
  const { deviceIDList = [], tagIDList = [], talkgroup, startEpoch, endEpoch, wholeWords } = search;
  const setWhole = (isWhole: boolean) => {
    const { wholeWords: _former, ...others } = search;
    change(isWhole ? { ...search, wholeWords: true } : others);
  };
  const setTalkgroup = (number: number | undefined) => {
    const { talkgroup: _former, ...others } = search;
    change(number === undefined ? others : { ...search, talkgroup: number });
  };
  const setDays = (from: string, to: string) => {
    const { startEpoch: _from, endEpoch: _to, ...others } = search;
    const [first, last] = [dayRange(from)?.startEpoch, dayRange(to)?.endEpoch];
    change({
      ...others,
      ...(first === undefined ? {} : { startEpoch: first }),
      ...(last === undefined ? {} : { endEpoch: last }),
    });
  };
  return (
    <div class="search-filters" role="group" aria-label="Filters">
      <Picker
        label="Any device"
        name="Add a device"
        options={devices.map((device) => ({ key: device.key ?? 0, name: nameOf(device) }))}
        chosen={deviceIDList}
        onPick={(key) => change({ ...search, deviceIDList: [...deviceIDList, key] })}
      />
      <Picker
        label="Any tag"
        name="Add a tag"
        options={tags.map(({ key = 0, tagName = '' }) => ({ key, name: tagName }))}
        chosen={tagIDList}
        onPick={(key) => change({ ...search, tagIDList: [...tagIDList, key] })}
      />
      {(talkgroups.length > 0 || talkgroup !== undefined) && (
        <TalkgroupInput
          label="Talkgroup"
          class="input search-filter talkgroup"
          placeholder="Talkgroup"
          value={talkgroup}
          known={talkgroups}
          onChange={setTalkgroup}
        />
      )}
      <RangePicker
        label="Days"
        from={startEpoch === undefined ? '' : dayOf(startEpoch)}
        to={endEpoch === undefined ? '' : dayOf(endEpoch)}
        onChange={setDays}
      />
      <label class="filter-words" title="No parts of words and no similar words, as in a rule">
        <input
          type="checkbox"
          checked={wholeWords === true}
          onChange={({ currentTarget }) => setWhole(currentTarget.checked)}
        />
        <span>Whole words only</span>
      </label>
    </div>
  );
}

interface PickerProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly key: number; readonly name: string }[];
  readonly chosen: readonly number[];
  readonly onPick: (key: number) => void;
}

/** Longer lists are searched within. */
const mostInSelect = 30;

function Picker({ label, name, options, chosen, onPick }: PickerProps) {
  const text = chosen.length > 0 ? `${name}…` : label;
  if (options.length > mostInSelect) {
    return (
      <div class="search-filter pick-filter">
        <PickList
          label={name}
          text={text}
          options={options
            .filter(({ key }) => !chosen.includes(key))
            .map((option) => ({ value: String(option.key), label: option.name }))}
          onPick={(value) => onPick(Number(value))}
        />
      </div>
    );
  }
  return (
    <select
      class="input search-filter"
      aria-label={name}
      value=""
      onChange={({ currentTarget }) => {
        onPick(Number(currentTarget.value));
        currentTarget.value = '';
      }}
    >
      <option value="">{text}</option>
      {options
        .filter(({ key }) => !chosen.includes(key))
        .map((option) => (
          <option key={option.key} value={option.key}>
            {option.name}
          </option>
        ))}
    </select>
  );
}

const mostChips = 12;

/** The active filters, each with a button that removes it. */
export function ActiveFilters({ search }: { readonly search: SearchState }) {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: tags = [] } = useQuery(allTags);
  const [isWhole, setWhole] = useState(false);
  const { data: talkgroups = [] } = useTalkgroups(search);
  const { deviceIDList = [], tagIDList = [], talkgroup, startEpoch, endEpoch, ...plain } = search;
  const days = {
    ...(startEpoch === undefined ? {} : { startEpoch }),
    ...(endEpoch === undefined ? {} : { endEpoch }),
  };
  const deviceName = (id: number) => {
    const device = devices.find(({ key }) => key === id);
    return device ? nameOf(device) : `device ${id}`;
  };
  const tagName = (id: number) => tags.find(({ key }) => key === id)?.tagName ?? `tag ${id}`;
  const without = (list: readonly number[], id: number) => list.filter((other) => other !== id);
  const chips = [
    ...deviceIDList.map((id) => ({
      text: deviceName(id),
      drop: () => change({ ...search, deviceIDList: without(deviceIDList, id) }),
    })),
    ...tagIDList.map((id) => ({
      text: tagName(id),
      drop: () => change({ ...search, tagIDList: without(tagIDList, id) }),
    })),
    ...(talkgroup === undefined
      ? []
      : [
          {
            text: talkgroupText(talkgroups.find((one) => one.talkgroup === talkgroup) ?? { talkgroup }),
            drop: () => change({ ...plain, deviceIDList, tagIDList, ...days }),
          },
        ]),
    ...(['startEpoch', 'endEpoch'] as const)
      .filter((name) => search[name] !== undefined)
      .map((name) => ({
        text: `${name === 'startEpoch' ? 'From' : 'To'} ${dayText((search[name] ?? 0) * 1_000, viewerZone())}`,
        drop: () => {
          const { [name]: _former, ...others } = search;
          change(others);
        },
      })),
  ];
  if (chips.length === 0) return null;
  const shown = isWhole ? chips : chips.slice(0, mostChips);
  return (
    <div class="chosen">
      <ul class="chips" aria-label="Active filters">
        {shown.map(({ text, drop }) => (
          <li key={text} class="chip">
            <span class="chip-main">
              <UserText text={text} />
            </span>
            <button type="button" class="chip-end" aria-label={`Remove filter: ${text}`} onClick={drop}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {chips.length > mostChips && (
        <Button small kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `${chips.length - mostChips} more`}
        </Button>
      )}
      <Button small kind="quiet" onClick={() => change(plain)}>
        Clear filters
      </Button>
    </div>
  );
}
