import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { Counter, Epoch, Key, Milliseconds, shortTextLength, text } from './values.ts';

/** Which parts of a time range a device recorded, which are available, and which are missing. */

export const longestCoverageDays = 366;
export const mostCoverageSpans = 10_000;

const Span = Type.Object(
  { startTime: Epoch, startTimeMs: Milliseconds, endTime: Epoch, endTimeMs: Milliseconds },
  { title: 'TimeSpan' },
);

const Coverage = Type.Object(
  {
    deviceID: Key,
    startEpoch: Epoch,
    endEpoch: Epoch,
    clipCount: Counter,
    recordedSeconds: Type.Number({ minimum: 0 }),
    availableSeconds: Type.Number({ minimum: 0 }),
    missingSeconds: Type.Number({ minimum: 0, description: 'Within the range, but in no clip.' }),
    recorded: Type.Array(Span, {
      description: 'Covered by clips, in time order, joined where they meet or where a gap is ignored.',
    }),
    available: Type.Array(Span, { description: 'Covered by clips whose sound is available.' }),
    gaps: Type.Array(Span, { description: 'Covered by no clip.' }),
  },
  { title: 'AudioClipCoverage' },
);
export type Coverage = Static<typeof Coverage>;
export type Span = Static<typeof Span>;

const CoverageFilter = Type.Object(
  {
    deviceID: Type.Optional(Key),
    deviceSerial: Type.Optional(text(shortTextLength)),
    startEpoch: Type.Integer({ ...Epoch, examples: [1_794_700_800] }),
    endEpoch: Type.Integer({ ...Epoch, examples: [1_794_787_200] }),
    audioClipTypeID: Type.Optional(Type.Integer({ ...Counter, description: 'Only clips of this type.' })),
    shortestGapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        examples: [1],
        description: 'Shorter gaps are ignored: they are not listed and do not divide spans; 1 when missing.',
      }),
    ),
  },
  {
    title: 'CoverageFilter',
    description: `The device by \`deviceID\` or \`deviceSerial\`; at most ${longestCoverageDays} days.`,
  },
);
export type CoverageFilter = Static<typeof CoverageFilter>;

export const getCoverage = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/coverage',
  summary: 'Read which parts of a range were recorded, are available and are missing',
  description: `More than ${mostCoverageSpans} spans: 400; request a shorter range, or ignore longer gaps.`,
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  body: CoverageFilter,
  answer: Coverage,
  trail: readsOnly,
});
