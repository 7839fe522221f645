import { findBacklogPage } from '@earshot/server/features/caption/transcribe/task-queries';
import { saveCorrection, restoreVersion } from '@earshot/server/features/caption/correct/correct';
import { readProgress } from '@earshot/server/features/caption/read/progress';
import { readCaption, readVersions } from '@earshot/server/features/caption/read/read';
import { requestCaptions } from '@earshot/server/features/caption/order/request';
import { orderCaptions } from '@earshot/server/features/caption/order/orders';
import type { Db, Pool } from '@earshot/server/platform/database/connect';
import { inTransaction } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explain, faultsOf, openCapturing } from '../../audio-clip/tests/plans.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder } from './captioning.ts';

// docs/architecture.md states the number of statements; none reads a large table completely.

const clips = 20_000;
const most = 1_000;
let server: TestServer;
let capturing: ReturnType<typeof openCapturing>;
/** A separate pool, because it does not keep prepared statements. */
let explaining: Pool;
let caller: Caller;
let recorder: Recorder;
let clipID: number;
beforeAll(async () => {
  server = await startTestServer();
  const person = await server.addPerson();
  caller = { userID: person.userID, role: 'member', credential: 'test' };
  recorder = await addRecorder(person.session);
  const { db } = server;
  const [file] = await db<{ key: number }[]>`
    insert into files (device_id, filename, file_size, content_type, file_status)
    values (${recorder.deviceID}, 'x.wav', 1, 'audio/wav', 1) returning key`;
  // Nearly every clip has a caption, and nearly every event has ended.
  await db`
    insert into audio_clips (device_id, start_ms, end_ms, audio_clip_status, file_id)
    select ${recorder.deviceID}, n * 1000, n * 1000 + 500, 3, ${file?.key ?? 0} from generate_series(1, ${clips}) n`;
  await db`
    insert into captions (audio_clip_id, device_id, transcript, file_id)
    select key, device_id, 'so it goes', file_id from audio_clips where key % 1000 <> 0`;
  await db`
    insert into caption_versions (audio_clip_id, version, origin, transcript, segments, is_timed, is_language_known)
    select audio_clip_id, 1, 'engine', transcript, '[]', true, true from captions`;
  await db`
    insert into events (device_id, agent_type_id, event_type_id, server_event, event_status, taken_date)
    select ${recorder.deviceID}, 5, 5, 1, case when n % 500 = 0 then 1 when n % 501 = 0 then 5 else 4 end,
      now() - make_interval(mins => n) from generate_series(1, ${clips}) n`;
  // Rules of others that watch other places for words.
  await db`
    insert into rules (user_id, rule_name, is_enabled, severity, definition)
    select ${person.userID}, 'Fire', true, 'info', jsonb_build_object(
      'where', jsonb_build_object('deviceIDs', jsonb_build_array(1000000 + n)), 'when', '{"words": "fire"}'::jsonb,
      'activeTimes', '[]'::jsonb, 'groupSeconds', 300, 'mostPerHour', 10, 'quietedBy', '[]'::jsonb, 'actions', '[]'::jsonb)
    from generate_series(1, ${clips}) n`;
  await db`vacuum analyze`;
  const [clip] = await db<{ key: number }[]>`select max(audio_clip_id) as key from captions`;
  clipID = clip?.key ?? 0;
  capturing = openCapturing(server.databaseUrl);
  await capturing.db`select 1`;
  explaining = openCapturing(server.databaseUrl).db;
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await explaining.end({ timeout: 1 });
  await server.stop();
});

const wakeups = { add: () => {} };
const inTx = (work: (tx: Db) => Promise<unknown>) => (db: Pool) => inTransaction(db, work);
const parts = (db: Pool) => ({ events: { db, wakeups } as never, usableEngines: [] });

const costs: readonly (readonly [name: string, statements: number, work: (db: Pool) => Promise<unknown>])[] = [
  ['new sound', 4, inTx((tx) => orderCaptions(tx, caller, [Math.floor(clipID / 1000) * 1000]))],
  ['sound that needs no caption', 1, inTx((tx) => orderCaptions(tx, caller, [clipID]))],
  ['read a caption', 1, (db) => readCaption(db, caller, clipID)],
  ['versions of a caption', 2, (db) => readVersions(db, caller, clipID)],
  ['correct a caption', 9, (db) => saveCorrection(db, caller, clipID, { transcript: 'so it went' })],
  ['restore a former version', 9, (db) => restoreVersion(db, caller, clipID, 1)],
  ['ask for captions', 4, (db) => requestCaptions(parts(db), caller, recorder.deviceSerial, {}, {})],
  ['the progress of captions', 3, (db) => readProgress(db, caller)],
  [
    'the backlog of a device, a page',
    1,
    (db) => {
      const all = { audioClips: undefined, fromMs: undefined, toMs: undefined, again: false, eventID: 1 };
      return findBacklogPage(db, { deviceID: recorder.deviceID, ...all }, { startMs: 5_000_000, key: 0 }, most);
    },
  ],
];

describe.each(costs)('%s', (_name, statements, work) => {
  test(`costs ${statements}, and reads no large table completely`, async () => {
    capturing.sent.length = 0;
    await work(capturing.db);
    const sent = capturing.sent.filter(({ text }) => !/^(begin|commit|rollback)/i.test(text.trim()));
    expect(sent).toHaveLength(statements);
    for (const statement of sent.filter(({ text }) => /^\s*(select|with)/i.test(text))) {
      for (const mode of ['custom', 'generic'] as const) {
        const { plan, lines } = await explain(explaining, statement, mode);
        expect(faultsOf(plan, most), lines).toEqual([]);
        expect(lines).not.toMatch(/Seq Scan on (events|caption_versions|rules)/);
      }
    }
  });
});
