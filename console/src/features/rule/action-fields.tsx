import type { RuleAction } from '@earshot/contract/rule-parts';
import { longestUploadSeconds, mostTargets } from '@earshot/contract/rule-parts';
import { tagNameLength } from '@earshot/contract/tag';
import { useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { PickList } from '../../lib/ui/filter-pick.tsx';
import { allChannels, channelText } from '../channel/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { allPresets } from '../event-preset/public.ts';
import { teamNames } from '../team/public.ts';
import { allUsers, userName } from '../user/public.ts';
import { Chips } from './chips.tsx';
import { NumberInput, SmallSelect } from './part.tsx';
import { RuleProblem, useInvalid } from './problems.tsx';
import type { RuleNames } from '@earshot/contract/rule-sentence';

interface FieldsProps {
  readonly action: RuleAction;
  readonly path: string;
  readonly names: RuleNames;
  readonly owner: string;
  readonly onChange: (action: RuleAction) => void;
}

/** What an action needs beside its name. */
export function ActionFields(props: FieldsProps) {
  switch (props.action.action) {
    case 'notify':
      return <Recipients {...props} />;
    case 'runPreset':
      return <Preset {...props} />;
    case 'requestUpload':
      return <Upload {...props} />;
    case 'tag':
      return <TagName {...props} />;
    case 'lock':
      return null;
  }
}

function Recipients({ action, path, names, owner, onChange }: FieldsProps) {
  const { data: people = [] } = useQuery(allUsers);
  const { data: teams = [] } = useQuery(teamNames);
  const { data: channels = [] } = useQuery(allChannels);
  const me = signedInUser().userID;
  const told = action.to ?? [];
  const has = (id: string) => told.some((recipient) => idOf(recipient) === id);
  const options = [
    ...people.map((person) => ({
      value: idOf({ userID: person.key ?? 0 }),
      label: person.key === me ? 'me' : userName(person),
    })),
    ...teams.map(({ key, teamName }) => ({ value: idOf({ teamID: key }), label: `${teamName} (team)` })),
    ...channels
      .filter(({ userID }) => userID === me)
      .map((channel) => ({ value: idOf({ channelID: channel.key ?? 0 }), label: `${channelText(channel)} (channel)` })),
  ];
  const hasChannels = told.some(({ channelID }) => channelID !== undefined);
  return (
    <>
      {told.length === 0 && <span class="rule-any">{owner}</span>}
      <Chips
        label="People, teams and channels to tell"
        word="and"
        entries={told.map((recipient, at) => ({
          id: idOf(recipient),
          text: nameOfRecipient(recipient, names),
          path: `${path}.to[${at}]`,
          drop: () => onChange({ ...action, to: told.toSpliced(at, 1) }),
        }))}
      >
        <PickList
          label="Add a person, a team or a channel"
          text="Person, team or channel…"
          options={options.filter(({ value }) => !has(value))}
          onPick={(value) => onChange({ ...action, to: [...told, recipientOf(value)] })}
        />
      </Chips>
      {hasChannels && <IncludedWords action={action} onChange={onChange} />}
      <RuleProblem path={`${path}.to`} />
    </>
  );
}

type Recipient = NonNullable<RuleAction['to']>[number];
const kindsOfRecipient = ['userID', 'teamID', 'channelID'] as const;

const idOf = (recipient: Recipient): string => {
  const kind = kindsOfRecipient.find((one) => recipient[one] !== undefined) ?? 'userID';
  return `${kind} ${recipient[kind]}`;
};

function recipientOf(id: string): Recipient {
  const [kind, key] = id.split(' ');
  return { [kind ?? '']: Number(key) };
}

function nameOfRecipient({ userID = 0, teamID, channelID }: Recipient, names: FieldsProps['names']): string {
  if (channelID !== undefined) return names.channel(channelID);
  return teamID === undefined ? names.person(userID) : names.team(teamID);
}

function IncludedWords({ action, onChange }: Pick<FieldsProps, 'action' | 'onChange'>) {
  const { includesWords = false } = action;
  return (
    <>
      <SmallSelect
        label="What messages of channels have"
        value={includesWords ? 'words' : 'none'}
        options={[
          ['none', 'without words'],
          ['words', 'with the words'],
        ]}
        onChange={(value) => onChange({ ...action, includesWords: value === 'words' })}
      />
      {includesWords && (
        <p class="hint rule-hint">
          Words that have left Earshot are beyond deletion. They are sent only of devices whose owner allowed it.
        </p>
      )}
    </>
  );
}

function Preset({ action, path, names, onChange }: FieldsProps) {
  const { data: presets = [] } = useQuery(allPresets);
  const { data: devices = [] } = useQuery(allDevices);
  const { eventPresetID, on = 'device', deviceIDs = [], count } = action;
  const setOn = (next: NonNullable<RuleAction['on']>) => {
    const { deviceIDs: _devices, count: _count, ...others } = action;
    onChange({ ...others, on: next, ...(next === 'nearest' ? { count: 1 } : {}) });
  };
  return (
    <>
      <PickList
        label="Preset"
        text={eventPresetID === undefined ? 'Preset…' : names.preset(eventPresetID)}
        value={String(eventPresetID ?? '')}
        options={presets.map(({ key = 0 }) => ({ value: String(key), label: names.preset(key) }))}
        onPick={(value) => onChange({ ...action, eventPresetID: Number(value) })}
      />
      <span class="rule-word">on</span>
      <SmallSelect
        label="On which devices"
        value={on}
        options={[
          ['device', 'the device of the clip'],
          ['named', 'these devices'],
          ['nearest', 'the nearest devices'],
        ]}
        onChange={setOn}
      />
      {on === 'named' && (
        <Chips
          label="Devices to run it on"
          word="and"
          entries={deviceIDs.map((key, at) => ({
            id: String(key),
            text: names.device(key),
            path: `${path}.deviceIDs[${at}]`,
            drop: () => onChange({ ...action, deviceIDs: deviceIDs.toSpliced(at, 1) }),
          }))}
        >
          <PickList
            label="Add a device to run it on"
            text="Device…"
            options={devices
              .filter(({ key = 0 }) => !deviceIDs.includes(key))
              .map((device) => ({ value: String(device.key), label: nameOf(device) }))}
            onPick={(value) => onChange({ ...action, deviceIDs: [...deviceIDs, Number(value)] })}
          />
        </Chips>
      )}
      {on === 'nearest' && (
        <Count count={count} path={path} onChange={(value) => onChange({ ...action, count: value })} />
      )}
      <RuleProblem path={`${path}.eventPresetID`} />
      <RuleProblem path={`${path}.deviceIDs`} />
    </>
  );
}

function Upload({ action, path, onChange }: FieldsProps) {
  const { from = 'device', beforeSeconds = 0, afterSeconds = 0, count } = action;
  const setFrom = (next: NonNullable<RuleAction['from']>) => {
    const { count: _former, ...others } = action;
    onChange({ ...others, from: next, ...(next === 'nearest' ? { count: 1 } : {}) });
  };
  return (
    <>
      <span class="rule-word">of</span>
      <SmallSelect
        label="Of which devices"
        value={from}
        options={[
          ['device', 'the device of the clip'],
          ['nearest', 'the nearest devices'],
          ['every', 'every device of the rule'],
        ]}
        onChange={setFrom}
      />
      {from === 'nearest' && (
        <Count count={count} path={path} onChange={(value) => onChange({ ...action, count: value })} />
      )}
      <span class="rule-word">from</span>
      <NumberInput
        label="Seconds before the clip"
        value={beforeSeconds}
        min={0}
        max={longestUploadSeconds}
        wiring={useInvalid(`${path}.beforeSeconds`)}
        onChange={(value) => onChange({ ...action, beforeSeconds: value ?? 0 })}
      />
      <span class="rule-word">s before it to</span>
      <NumberInput
        label="Seconds after the clip"
        value={afterSeconds}
        min={0}
        max={longestUploadSeconds}
        wiring={useInvalid(`${path}.afterSeconds`)}
        onChange={(value) => onChange({ ...action, afterSeconds: value ?? 0 })}
      />
      <span class="rule-word">s after it</span>
      <RuleProblem path={`${path}.beforeSeconds`} />
      <RuleProblem path={`${path}.afterSeconds`} />
    </>
  );
}

interface CountProps {
  readonly count: number | undefined;
  readonly path: string;
  readonly onChange: (count: number) => void;
}

function Count({ count = 1, path, onChange }: CountProps) {
  return (
    <>
      <NumberInput
        label="How many of the nearest devices"
        value={count}
        min={1}
        max={mostTargets}
        wiring={useInvalid(`${path}.count`)}
        onChange={(value) => onChange(value ?? 1)}
      />
      <RuleProblem path={`${path}.count`} />
    </>
  );
}

function TagName({ action, path, onChange }: FieldsProps) {
  return (
    <>
      <input
        {...useInvalid(`${path}.tagName`)}
        class="input rule-input"
        aria-label="Tag to put"
        placeholder="fire"
        value={action.tagName ?? ''}
        maxLength={tagNameLength}
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange({ ...action, tagName: currentTarget.value })}
      />
      <RuleProblem path={`${path}.tagName`} />
    </>
  );
}
