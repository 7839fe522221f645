import type { RuleWhere } from '@earshot/contract/rule-parts';
import { useId } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { PickList } from '../../lib/ui/filter-pick.tsx';
import { allCollections } from '../collection/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { someTalkgroups, TalkgroupInput } from '../talkgroup/public.tsx';
import { Chips } from './chips.tsx';
import { SentencePart, SmallSelect } from './part.tsx';
import { RuleProblem } from './problems.tsx';
import type { RuleNames } from '@earshot/contract/rule-sentence';

interface WherePartProps {
  readonly where: RuleWhere | undefined;
  readonly names: RuleNames;
  readonly onChange: (where: RuleWhere | undefined) => void;
}

const largestUnit = 4_294_967_295;

/** "When North gate or a device of Harbour …": without an entry, every device. */
export function WherePart({ where = {}, names, onChange }: WherePartProps) {
  const { deviceIDs = [], collectionIDs = [], talkgroups = [], units = [] } = where;
  const { data: devices = [] } = useQuery(allDevices);
  const { data: collections = [] } = useQuery(allCollections);
  const { data: known = [] } = useQuery(someTalkgroups(0));
  const change = (changes: Partial<RuleWhere>) => onChange(withoutEmpty({ ...where, ...changes }));
  const talkgroupInput = useId();
  const addTalkgroup = (talkgroup: number | undefined) => {
    if (talkgroup === undefined) return;
    // It shows what was entered, which is a chip now.
    const input = document.getElementById(talkgroupInput);
    if (input instanceof HTMLInputElement) input.value = '';
    change({ talkgroups: [...talkgroups, { talkgroup }] });
  };
  const hasRadio = known.length > 0 || talkgroups.length + units.length > 0 || where.isEmergency !== undefined;
  const places = [
    ...deviceIDs.map((key, at) => ({
      id: `device ${key}`,
      text: names.device(key),
      path: `where.deviceIDs[${at}]`,
      drop: () => change({ deviceIDs: deviceIDs.toSpliced(at, 1) }),
    })),
    ...collectionIDs.map((key, at) => ({
      id: `collection ${key}`,
      text: `all of ${names.collection(key)}`,
      path: `where.collectionIDs[${at}]`,
      drop: () => change({ collectionIDs: collectionIDs.toSpliced(at, 1) }),
    })),
  ];
  return (
    <>
      <SentencePart word="When" label="Where">
        {places.length === 0 && <span class="rule-any">any device</span>}
        <Chips label="Devices and collections" entries={places} word="or">
          <PickList
            label="Add a device"
            text="Device…"
            options={devices
              .filter(({ key = 0 }) => !deviceIDs.includes(key))
              .map((device) => ({ value: String(device.key), label: nameOf(device) }))}
            onPick={(value) => change({ deviceIDs: [...deviceIDs, Number(value)] })}
          />
          {collections.length > 0 && (
            <PickList
              label="Add a collection"
              text="Collection…"
              options={collections
                .filter(({ key = 0 }) => !collectionIDs.includes(key))
                .map(({ key, collectionName = '' }) => ({ value: String(key), label: collectionName }))}
              onPick={(value) => change({ collectionIDs: [...collectionIDs, Number(value)] })}
            />
          )}
        </Chips>
        <RuleProblem path="where" />
      </SentencePart>
      {hasRadio && (
        <SentencePart word="on" label="Radio">
          <SmallSelect
            label="Emergency calls"
            value={where.isEmergency === undefined ? '' : where.isEmergency ? 'yes' : 'no'}
            options={[
              ['', 'any clip or call'],
              ['yes', 'emergency calls'],
              ['no', 'calls that are no emergency'],
            ]}
            onChange={(value) => {
              const { isEmergency: _former, ...others } = where;
              onChange(withoutEmpty(value === '' ? others : { ...others, isEmergency: value === 'yes' }));
            }}
          />
          <Chips
            label="Talkgroups"
            word="or"
            entries={talkgroups.map(({ deviceID, talkgroup }, at) => ({
              id: `${deviceID} ${talkgroup}`,
              text: names.talkgroup(talkgroup) + (deviceID === undefined ? '' : ` of ${names.device(deviceID)}`),
              path: `where.talkgroups[${at}]`,
              drop: () => change({ talkgroups: talkgroups.toSpliced(at, 1) }),
            }))}
          >
            <TalkgroupInput
              id={talkgroupInput}
              label="Add a talkgroup"
              class="input rule-input"
              placeholder="Talkgroup…"
              value={undefined}
              known={known}
              onChange={addTalkgroup}
            />
          </Chips>
          <Chips
            label="Units"
            word="or"
            entries={units.map((unit, at) => ({
              id: String(unit),
              text: `unit ${unit}`,
              path: `where.units[${at}]`,
              drop: () => change({ units: units.toSpliced(at, 1) }),
            }))}
          >
            <input
              class="input rule-input rule-number"
              type="number"
              aria-label="Add a unit"
              placeholder="Unit…"
              min={0}
              max={largestUnit}
              onChange={({ currentTarget }) => {
                const unit = currentTarget.valueAsNumber;
                if (!Number.isInteger(unit)) return;
                currentTarget.value = '';
                change({ units: [...units, unit] });
              }}
            />
          </Chips>
        </SentencePart>
      )}
    </>
  );
}

/** A list that is empty is no condition. */
function withoutEmpty(where: RuleWhere): RuleWhere | undefined {
  const filled = Object.entries(where).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}
