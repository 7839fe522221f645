import type { AudioClip } from '@earshot/contract/audio-clip';
import type { RadioCall } from '@earshot/contract/radio';
import type { ComponentChildren } from 'preact';
import { useQuery } from '../../lib/query.ts';
import { Badge, Section, UserText } from '../../lib/ui/elements.tsx';
import { dateAndTime } from '../../lib/ui/times.ts';
import { talkgroupText, unitText } from '../talkgroup/public.ts';
import { listedClip } from './data.ts';

/** What a radio recorder reported about the clip; nothing for other clips. */
export function RadioFacts({ clip }: { readonly clip: AudioClip }) {
  const call = useQuery(listedClip(clip)).data?.radioCall;
  if (!call) return null;
  return (
    <Section title="Radio call" action={call.isEmergency && <Badge tone="bad">Emergency</Badge>}>
      <dl class="facts">
        {factsOf(call).map(
          ([name, content]) =>
            content !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{content}</dd>
              </div>
            ),
        )}
      </dl>
      {call.isClockOff && call.arrivalDate && (
        <p class="facts-note">
          The recorder’s clock was off; the call arrived at {dateAndTime(new Date(call.arrivalDate))}.
        </p>
      )}
    </Section>
  );
}

type Fact = readonly [name: string, content: ComponentChildren | undefined];

function factsOf(call: RadioCall): readonly Fact[] {
  const { deviceID, talkgroup, talkgroupName, talkgroupGroup, talkgroupTag, frequency, site, talkerAlias } = call;
  const { talkgroupGroups = talkgroupGroup === undefined ? [] : [talkgroupGroup] } = call;
  const { unit, units = unit === undefined ? [] : [unit], patches = [] } = call;
  const { frequencies = frequency === undefined ? [] : [frequency] } = call;
  const clips = (name: string, value: number) => `/clips?device=${deviceID}&${name}=${value}`;
  const text = (given: string | undefined) => (given ? <UserText text={given} /> : undefined);
  const list = (items: readonly ComponentChildren[]) =>
    items.length === 0 ? undefined : <span class="fact-list">{items}</span>;
  const numberLink = (name: string, number: number, shown = String(number)) => (
    <a key={number} href={clips(name, number)}>
      <UserText text={shown} />
    </a>
  );
  // The filter finds calls by the unit that transmitted first.
  const unitItems = units.map((one) =>
    one === unit ? (
      numberLink('unit', one, unitText(call, one))
    ) : (
      <span key={one}>
        <UserText text={unitText(call, one)} />
      </span>
    ),
  );
  const others = patches.filter((patch) => patch !== talkgroup);
  return [
    [
      'Talkgroup',
      <>
        <a href={clips('talkgroup', talkgroup ?? 0)}>
          <UserText text={talkgroupText(call)} />
        </a>
        {call.talkgroupLabel || talkgroupName ? ` (${talkgroup})` : ''}
      </>,
    ],
    ['Name', call.talkgroupLabel ? text(talkgroupName) : undefined],
    [talkgroupGroups.length > 1 ? 'Groups' : 'Group', text(talkgroupGroups.join(', '))],
    ['Tag', text(talkgroupTag)],
    [units.length > 1 ? 'Units' : 'Unit', list(unitItems)],
    ['Talker alias', text(talkerAlias)],
    [
      frequencies.length > 1 ? 'Frequencies' : 'Frequency',
      list(frequencies.map((hertz) => <span key={hertz}>{megahertzText(hertz)}</span>)),
    ],
    ['Site', text(site)],
    ['Patched to', list(others.map((patch) => numberLink('talkgroup', patch)))],
  ];
}

/** With 4 decimals, as frequencies are usually written; with more only if they are not 0. */
const megahertzText = (hertz: number): string =>
  `${(hertz / 1e6).toLocaleString('en', { minimumFractionDigits: 4, maximumFractionDigits: 6 })} MHz`;
