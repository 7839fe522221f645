import { randomUUID } from 'node:crypto';
import { putLabelOrder } from '@earshot/server/features/caption/transcribe/label-queries';
import { labelClip } from '@earshot/server/features/caption/transcribe/label-task';
import { removeOrder } from '@earshot/server/features/caption/order/queries';
import { addVersion, lockCaption } from '@earshot/server/features/caption/version-queries';
import { takeServerEvent } from '@earshot/server/features/event/take/queries';
import { complete, recordProgress } from '@earshot/server/features/event/transition/report-queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import { inTransaction } from '@earshot/server/platform/database/connect';
import { cutWords } from '@earshot/server/platform/listening/cut-words';
import type { LabelEngine, Segment, Word } from '@earshot/server/platform/listening/engine';
import { createCorpus, seededRandom } from '../search/corpus.ts';

const corpus = createCorpus();
const random = seededRandom(13);
const everyMs = 400;
const times = { leaseSeconds: 300, retrySeconds: 5 };
const identity = { name: 'bench', version: '1' };

const labeller: LabelEngine = {
  identity,
  prepare: async () => {},
  label: async () => ({
    engine: identity,
    labels: ['speech', 'vehicle'].map((name) => ({ name, confidence: 80, startMs: 0, endMs: 100 })),
    soundMs: 100,
  }),
  close: async () => {},
};

function speak(count: number): Segment[] {
  const said: string[] = [];
  while (said.length < count) said.push(...corpus.say(random));
  const words = said.slice(0, count).map((text, at): Word => ({
    text: at % 10 === 9 ? `${text}.` : text,
    startMs: at * everyMs,
    endMs: at * everyMs + everyMs - 50,
    confidence: 60 + Math.round(40 * random()),
  }));
  return cutWords(words);
}

/**
 * Does with the next ordered caption what the worker does, without decoding the sound: the same rows, in much less time.
 * False if none waits.
 */
export async function captionNext(db: Pool, words: number): Promise<boolean> {
  const [type] = await db<{ key: number }[]>`select key from event_types where event_type_name = 'Caption_audio'`;
  const takeID = randomUUID();
  const taken = await takeServerEvent(db, { eventTypeID: type?.key ?? 0 }, { processID: 1, takeID }, times);
  const { key: eventID = 0, eventParameters = '{}' } = taken?.event ?? {};
  if (eventID === 0) return false;
  const [clipID = 0] = (JSON.parse(eventParameters) as { audioClips: number[] }).audioClips;
  await recordProgress(db, eventID, { percentComplete: 80 }, times, { takeID });
  const fileID = await inTransaction(db, async (tx) => {
    const clip = await lockCaption(tx, clipID);
    if (!clip) throw new Error(`the clip ${clipID} does not exist`);
    await removeOrder(tx, clipID, eventID);
    const segments = speak(words);
    await addVersion(tx, clip, {
      origin: 'engine',
      transcript: segments.map(({ text }) => text).join(' '),
      segments,
      isTimed: true,
      fileID: clip.fileID,
      language: 'en',
      isLanguageKnown: true,
      engineName: identity.name,
      engineVersion: identity.version,
      basedOn: null,
      eventID,
      createdBy: null,
    });
    await putLabelOrder(tx, clipID, eventID);
    return clip.fileID ?? 0;
  });
  const bounds = { maxLabels: 5, minConfidence: 50 };
  const listening = { signal: new AbortController().signal };
  await labelClip(db, { clipID, eventID, fileID, bounds, engine: labeller }, () => emptySound(), listening);
  await complete(db, eventID, { result: JSON.stringify({ captioned: 1 }) }, { takeID });
  return true;
}

async function* emptySound(): AsyncGenerator<Float32Array> {}
