import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeptRows } from './kept-rows.ts';
import { keptRows, keptSettings } from './kept-rows.ts';

// docs/operating.md has the same list in words.

let server: TestServer;
let all: readonly KeptRows[];
beforeAll(async () => {
  // Events that a worker would take stay as they are.
  server = await startTestServer({ ...keptSettings, role: 'server' });
  const { session, userID } = server.admin;
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'kept-1' } });
  const { apiKeyID } = await server.admin.withKey();
  const { key: uploadKeyID = 0 } = await session.createUploadKey({ body: {} });
  const { key: channelID = 0 } = await session.createChannel({
    body: { channelName: 'x', kind: 'webhook', settings: { url: 'https://told.invalid/' } },
  });
  all = keptRows({ deviceID, userID, apiKeyID, uploadKeyID, channelID });
});
afterAll(() => server.stop());

test('what is kept for a time is removed after it, by the work of a node, and not before', async () => {
  const { db } = server;
  const count = async ({ table, counted }: KeptRows): Promise<number> => {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from ${db(table)} where ${counted?.(db) ?? db`true`}`;
    return row?.count ?? 0;
  };
  for (const kind of all) {
    await kind.add(db, db`(${kind.limit}::interval - interval '10 minutes')`, 0);
    await kind.add(db, db`(${kind.limit}::interval + interval '10 minutes')`, 1);
  }
  const notOne = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const kind of all) {
      const left = await count(kind);
      if (left !== 1) found.push(`${kind.table} has ${left}`);
    }
    return found;
  };
  // A starting node sweeps; the sweeps of files run each second.
  await server.addNode();
  await expect.poll(notOne).toEqual([]);
  // Another round, in which nothing more is removed.
  await server.addNode();
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await notOne()).toEqual([]);
});

/** Tables without a time: how many rows they can have, or what removes them. */
const others: Readonly<Record<string, string>> = {
  acknowledged_alerts: '30 days, by the next acknowledgement',
  alert_acts: 'with their alert',
  alert_escalations: 'until somebody acknowledges the alert or all were told; with their alert or team',
  alert_matches: 'with their alert or match',
  alert_notes: 'with their alert or person',
  agent_releases: 'a row for each version of the agent that this platform has shipped',
  agent_types: 'few',
  agents: 'with their device',
  api_keys: 'with their person or device, or when they are deleted',
  audio_clip_tags: 'with their clip',
  audio_clips: 'deleted, with their device, or by its retentionDays (audio-clip/tests/retention.test.ts)',
  audit_epochs: 'one row for each restore',
  audit_keys: 'one row for each key that has signed the log',
  audit_leaves: 'always: a hash for each entry, without words; its salt goes with the entry (decision 0035)',
  audit_log: 'one row',
  audit_subtrees: 'always: a hash for each 256 leaves',
  bulk_failures: 'with their job',
  bell_channels: 'with their person or channel, or when they are not chosen any more',
  bell_manners: 'with their person',
  caption_orders: 'with their clip',
  caption_parts: 'with their run',
  caption_search: 'with their clip',
  caption_search_edition: 'one row',
  caption_versions: 'with their clip',
  caption_wishes: 'with their clip',
  caption_words: 'when no transcript has the word (caption-index/word-sweep.test.ts)',
  captions: 'with their clip',
  change_sweep: 'one row',
  clip_labellings: 'with their clip',
  clips_to_judge: 'until they are judged',
  clip_facts: 'with their clip',
  clip_recordings: 'with their clip',
  clip_versions:
    'deleted, with their clip, by the retentionDays of its device, or after EARSHOT_VERSION_DAYS (audio-clip/tests/versions.test.ts)',
  clips_to_measure: 'until the clip is measured, by any worker',
  channels: 'with their person, or when they are deleted',
  collection_items: 'with their collection or record',
  collection_teams: 'with their collection or team, or when it is no longer shared with the team',
  collections: 'with their person, or when they are deleted',
  corrected_terms: 'with their clip',
  device_positions: 'one row for each device',
  device_readiness: 'one row for each device',
  device_settings: 'with their device',
  device_summaries: 'one row for each device',
  devices_to_summarise: 'what the loop of summaries has not read yet',
  device_states: 'one row for each device',
  devices: 'when they are deleted',
  event_presets: 'with their person or device, or when they are deleted',
  event_transitions: 'with their event',
  event_type_names: 'few',
  event_types: 'few',
  disclosed_devices: 'with their device, or when it is switched off',
  events: 'with their device: every transition is kept and can be read',
  installation: 'one row',
  listening_nodes: '1 day, by any worker',
  merged_devices: 'with the device that the merged one went into',
  nodes: '1 day, when any node stops',
  older_clips_to_measure: 'one row',
  online_devices: 'while a device is online',
  publication_lease: 'one row',
  published_commands: 'with their device, preset or person, or when they are not named any more',
  published_devices: 'with their device or person, or when it is switched off or the right is lost',
  radio_calls: 'with their clip',
  recorded_facts: 'few',
  rollout_devices: 'with their rollout or device',
  rollouts: 'with the person who began them',
  rule_sweeps: 'until they are done',
  rule_acts: 'with their match',
  rule_allowances: 'with their rule, or when they are taken back',
  rule_recipients: 'with their rule',
  rule_teams: 'with their rule or team',
  rule_uploads: 'with their clip',
  rule_versions: 'the newest 100 of each rule; with their rule',
  rules: 'with their person, or when they are deleted',
  sample_devices: 'with their device',
  saved_searches: 'with their person, or when they are deleted',
  states_to_judge: 'until they are judged; then one row for each device and source that is due later',
  sound_exports: 'when the export has ended and its result is gone, or with its device (join/tests/exports.test.ts)',
  spoken_languages: 'with their device or collection, or when they are set to none',
  subscription_lease: 'one row',
  subscriptions: 'with their person or channel, or when they are deleted',
  tags: 'when no clip has the tag (words-removed.test.ts)',
  talkgroups: 'with their device',
  team_duties: 'with their person or team, or when the rota is changed',
  team_people: 'with their person or team, or when they leave it',
  teams: 'when they are deleted',
  upload_key_devices: 'with their key or device',
  upload_keys: 'with their person, or when they are deleted',
  user_settings: 'with their person, or when they are deleted',
  users: 'when they are deleted',
  vocabulary_terms: 'with their collection, or when they are deleted',
};

test('every table has an answer to how long its rows are kept', async () => {
  const tables = await server.db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like '%migration%' order by 1`;
  const answered = [...Object.keys(others), ...all.map(({ table }) => table)].toSorted();
  expect(tables.map(({ name }) => name).toSorted()).toEqual(answered);
});
