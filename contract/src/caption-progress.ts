import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Moment } from './caption.ts';
import { operation } from './operation.ts';
import { Counter, Key, oneOf, shortTextLength, text } from './values.ts';

export const mostRunning = 100;
/** While a new clip has waited for longer, radio gets no third listen. */
export const pauseAfterSeconds = 600;

const CaptionProgress = Type.Object(
  {
    waitingCount: Counter,
    workingCount: Counter,
    oldestWaitingSeconds: Type.Integer({
      ...Counter,
      description: 'How long the oldest clip has waited; 0 if none waits.',
    }),
    failedCount: Type.Integer({ ...Counter, description: 'Failed finally within the last day.' }),
    state: Type.Unsafe<'ready' | 'preparing' | 'unavailable'>({
      ...oneOf('ready', 'preparing', 'unavailable'),
      description: 'Whether an engine is available; while none is, captions wait.',
    }),
    reason: Type.Optional(Type.String({ description: 'Why it is unavailable; in full for admins.' })),
    engineName: Type.Optional(text(shortTextLength)),
    engineVersion: Type.Optional(text(shortTextLength)),
    thirdListen: Type.Unsafe<'off' | 'radio' | 'paused' | 'all'>({
      ...oneOf('off', 'radio', 'paused', 'all'),
      description:
        'Which speech that the fast model is unsure about is transcribed once more by the accurate one: none, that of ' +
        'radios, none until the captions of new clips have caught up, or all.',
    }),
    runningList: Type.Array(
      Type.Object(
        {
          audioClipID: Key,
          heardUntilMs: Type.Integer({ ...Moment, description: 'The sound before this moment is transcribed.' }),
        },
        { title: 'RunningCaption' },
      ),
      { description: `Long clips whose words so far can be read, newest first; at most ${mostRunning}.` },
    ),
  },
  { title: 'CaptionProgress' },
);
export type CaptionProgress = Static<typeof CaptionProgress>;

export const getCaptionProgress = operation('caption', {
  method: 'GET',
  path: '/v1/caption/progress',
  summary: 'Read the progress of captioning for the devices you may read',
  access: 'caller',
  acts: [],
  answer: CaptionProgress,
});
