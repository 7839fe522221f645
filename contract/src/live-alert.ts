import type { Static } from 'typebox';
import { Type } from 'typebox';
import { alertStates } from './alert.ts';
import { ruleSeverities } from './rule.ts';
import { DateTime, Epoch, Key, Milliseconds, oneOf } from './values.ts';

/** Matches and alerts on the live stream: the same for everybody who may see them, without words. */

const place = {
  key: Type.Optional(Key),
  ruleID: Type.Optional(Key),
  deviceID: Type.Optional(Key),
  startTime: Type.Optional(Type.Integer({ ...Epoch })),
  startTimeMs: Type.Optional(Milliseconds),
};

export const LiveMatch = Type.Object(
  {
    ...place,
    audioClipID: Type.Optional(Key),
    alertID: Type.Optional(Key),
    state: Type.Optional(oneOf('current', 'withdrawn')),
  },
  { title: 'LiveMatch', description: 'A match; `POST /v1/rulematch/list` has all of it.' },
);
export type LiveMatch = Static<typeof LiveMatch>;

export const LiveAlert = Type.Object(
  {
    ...place,
    severity: Type.Optional(oneOf(...ruleSeverities)),
    state: Type.Optional(oneOf(...alertStates)),
    assigneeID: Type.Optional(Key),
    toldDate: Type.Optional(DateTime),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'LiveAlert', description: 'An alert; `GET /v1/alert/{alertID}` has all of it.' },
);
export type LiveAlert = Static<typeof LiveAlert>;
