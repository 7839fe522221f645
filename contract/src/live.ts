import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Agent } from './agent.ts';
import { AudioClip } from './audio-clip.ts';
import { CaptionSummary } from './caption.ts';
import { Collection } from './collection.ts';
import { Device } from './device.ts';
import { Event } from './event.ts';
import type { LiveKind, LiveOutcome } from './live-change.ts';
import { liveChangeNames, liveChanges, liveKinds, liveOutcomes } from './live-change.ts';
import { operation } from './operation.ts';
import { LiveAlert, LiveMatch } from './live-alert.ts';
import { placePattern } from './live-place.ts';
import { Key, oneOf } from './values.ts';

/** Those of a subscriber that names none. */
export const usualLiveKinds: readonly LiveKind[] = ['device', 'agent', 'event', 'audioclip', 'caption', 'collection'];

export const LiveChange = Type.Object(
  {
    change: oneOf(...liveChanges),
    key: Key,
    deviceID: Type.Optional(
      Type.Integer({ ...Key, description: 'The device itself, or the device that the record belongs to.' }),
    ),
    outcome: Type.Optional(
      Type.Unsafe<LiveOutcome>({
        ...oneOf(...liveOutcomes),
        description: 'For subscribers that name `changes`: the event ended, or the device went online or offline.',
      }),
    ),
    record: Type.Optional(
      Type.Union([Device, Agent, Event, AudioClip, CaptionSummary, Collection, LiveMatch, LiveAlert], {
        description:
          'The record as its GET operation returns it now, a caption, a match and an alert shortened; missing if it was removed.',
      }),
    ),
  },
  { title: 'LiveChange', description: 'The `data` of one server-sent event.' },
);
export type LiveChange = Static<typeof LiveChange>;

const LastEventID = Type.String({
  pattern: placePattern,
  description: 'The `id` of the last event that you have received: the stream continues after it.',
});

const LiveKindList = Type.String({
  pattern: `^(${liveKinds.join('|')})(,(${liveKinds.join('|')}))*$`,
  maxLength: 200,
  examples: [],
  description: `Kinds of records, joined by commas: ${liveKinds.join(', ')}.`,
});

const LiveChangeList = Type.String({
  pattern: `^(${liveChangeNames.join('|')})(,(${liveChangeNames.join('|')}))*$`,
  maxLength: 1_000,
  examples: [],
  description: 'Names of changes, joined by commas: `device.online,event.ended`.',
});

export const listenToChanges = operation('live', {
  method: 'GET',
  path: '/v1/live',
  summary: 'Subscribe to every change that you may see',
  description: [
    'Server-sent events, each with `id`, `event` (the kind of record: `device`, `agent`, `event`, `audioclip`, ' +
      '`caption`, `collection`, `rulematch` or `alert`) and a LiveChange as `data`. What you may see is decided when an event is sent. Going online and offline is a change ' +
      'of the device; contact alone is not a change.',
    'With `Last-Event-ID`, or `lastEventID` in the query if that header cannot be set, the stream continues after that ' +
      'event on any node, without a gap. Changes are kept for a day unless the server is set otherwise (`EARSHOT_CHANGE_HOURS`): if the position is older, the first event is ' +
      '`reset`, and you should reload your data. Without it the stream starts now. A line with an `id` alone ' +
      'gives your position, and so does the comment before it (`: at` and the id), for parsers that ignore an `id` ' +
      'without data; a comment is sent every 15 seconds.',
    '`kinds` limits the stream to these kinds, joined by commas: `kinds=audioclip,alert`. Missing: all but `rulematch` and ' +
      '`alert`, which a subscriber must name and which device keys never get. An alert of several devices has no `deviceID`. ' +
      'Alerts and matches of a removed rule, and old ones, go without events.',
    '`changes` limits the stream to named changes instead, joined by commas: `<kind>.created`, `<kind>.changed`, ' +
      '`<kind>.removed`, `event.ended`, `device.online` and `device.offline`. The last three are changes of their record ' +
      'too. Subscriptions (`POST /v1/subscription`) take the same names.',
    'When a collection is changed or removed, what you see through it may have changed too: reload it. Everything that ' +
      'belongs to a removed device is removed with it, and a caption with its clip, without separate events. A changed record that is not ' +
      'known to you is new to you.',
    'The stream ends when your credential does, or when you read too slowly; connect again with the last `id`.',
  ].join('\n\n'),
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  query: {
    lastEventID: Type.Optional(LastEventID),
    kinds: Type.Optional(LiveKindList),
    changes: Type.Optional(LiveChangeList),
  },
  headers: { 'last-event-id': Type.Optional(LastEventID) },
  answer: LiveChange,
  media: ['text/event-stream'],
});
