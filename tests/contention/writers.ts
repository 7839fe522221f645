import { randomUUID } from 'node:crypto';
import type { Operation } from '@earshot/contract/operation';
import { readsOnly } from '@earshot/contract/operation';
import type { RecordKind } from '@earshot/contract/record-kind';
import { operationList } from '@earshot/contract/operations';
import { latestEpoch } from '@earshot/contract/values';
import type { Pool } from '@earshot/server/platform/database/connect';
import { adminPassword } from '@earshot/server/testing/server';
import type { Answer } from '../access/ask.ts';
import { ask } from '../access/ask.ts';
import { metadataNaming } from '../access/fixtures.ts';
import { buildRequest, readingOf } from '../access/request.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { Records } from './records.ts';
import { firstTranscript } from './records.ts';
import { otherWriters } from './other-writers.ts';

/** The URL of a node, and the credentials of an admin. */
export interface Scene {
  readonly urls: readonly string[];
  readonly db: Pool;
  readonly adminKey: Readonly<Record<string, string>>;
  readonly adminSession: Readonly<Record<string, string>>;
}

/** The value that a caller wrote, if it can be read back, and the response. */
export interface Deed {
  readonly writer: string;
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly wrote: Written | undefined;
}

export interface Written {
  readonly field: string;
  readonly value: string;
}

export interface Writer {
  readonly name: string;
  /** The kinds of records that the operation names. */
  readonly kinds: ReadonlySet<RecordKind>;
  readonly removes: boolean;
  act(scene: Scene, records: Records, caller: number): Promise<Deed>;
}

/** Operations that only read, although their method is not GET or HEAD. */
const readsByPost = new Set([
  'describeUploads',
  ...operationList.filter(([, { trail }]) => trail === readsOnly).map(([name]) => name),
]);
/** GET and HEAD operations that write. */
const writesByGet = new Set(['captionWords', 'getUpload']);
/**
 * Not tested, each for a reason: the first account is created once per database; a link or code is used up by one request, or needs a secret that only a
 * message has; a command is allowed by the hash of a preset that somebody named; a test message leaves this machine; the
 * long poll writes the same as a short one and waits for a minute; bytes are sent to an address that is signed for one
 * file.
 */
const leftOut = new Set([
  'setUp',
  'usePasswordReset',
  'acknowledgeByLink',
  'allowDeviceCommand',
  'confirmChannel',
  'longPollEvents',
  'longPollEventList',
  'uploadFile',
  'exchangeInstallationCode',
  'testChannel',
]);

const isWriter = ([name, { method }]: readonly [string, Operation]): boolean =>
  !leftOut.has(name) && (method === 'GET' || method === 'HEAD' ? writesByGet.has(name) : !readsByPost.has(name));

/** Operations of people on their own records, which an admin may not do for them. */
const byGuest = new Set<RecordKind>(['session', 'savedsearch', 'apikey']);
const ofGuest = new Set([
  'changePassword',
  'deleteSession',
  'rotatePostbackSecret',
  'createApiKey',
  'createSavedSearch',
  'createRule',
  'createChannel',
]);

interface Variation {
  readonly body?: unknown;
  readonly wrote?: Written;
}

/** Bodies that make callers write the same records with different values; the examples are all equal. */
const variations: Readonly<Record<string, (records: Records, caller: number, text: string) => Variation>> = {
  createSession: ({ deviceSerial }) => ({ body: { email: `${deviceSerial}@example.org`, password: adminPassword } }),
  changePassword: (_records, _caller, text) => ({ body: { oldPassword: adminPassword, newPassword: text } }),
  updateAgent: (_records, _caller, text) => ({
    body: { recentOutput: text },
    wrote: { field: 'agents.recent_output', value: text },
  }),
  patchAgent: (_records, _caller, text) => ({
    body: [{ op: 'add', path: '/agentDescription', value: text }],
    wrote: { field: 'agents.agent_description', value: text },
  }),
  createDeviceHealth: ({ deviceSerial }, caller) => ({
    body: { deviceSerial, healthJSON: `{"latitude":${caller},"longitude":8}` },
  }),
  updateLatestDeviceHealth: ({ deviceSerial }, caller) => ({
    body: { deviceSerial, healthJSON: `{"latitude":${caller},"longitude":9}` },
  }),
  updateDeviceHealth: (_records, caller, text) => ({
    body: { healthJSON: `{"note":"${text}","latitude":${caller},"longitude":10}` },
  }),
  setDevicePosition: (_records, caller) => ({
    body: caller % 3 ? { latitude: caller, longitude: 11 } : { latitude: null, longitude: null },
  }),
  setDeviceLanguages: (_records, caller) => ({ body: { languages: ['en', 'es', 'sv'].slice(0, caller % 4) } }),
  setCollectionLanguages: (_records, caller) => ({ body: { languages: ['en', 'es', 'sv'].slice(0, caller % 4) } }),
  putDeviceSetting: (_records, _caller, text) => ({
    body: { settingValue: text },
    wrote: { field: 'device_settings.wanted_value', value: text },
  }),
  setReadyPreset: ({ keys }, caller) => ({ body: { eventPresetID: keys.eventpreset[caller % 2] } }),
  registerAgent: ({ deviceSerial }, caller, text) => ({
    body: { deviceSerial, agentType: 'Device', processID: 4711 + (caller % 2), agentVersion: text },
    wrote: { field: 'agents.version', value: text },
  }),
  dequeueEvent: ({ deviceSerial }) => ({ body: { deviceSerial, agentType: 'Device', agentIndex: 0, processID: 4711 } }),
  listPendingEvents: ({ deviceSerial }, caller) => ({
    body: { deviceSerial, ...(caller % 2 ? { agentType: 'Device' } : {}) },
  }),
  reportEvent: (_records, caller) => ({ body: { eventStatus: [3, 4, 5][caller % 3], percentComplete: caller } }),
  updateDevice: (_records, _caller, text) => ({
    body: { deviceDescription: text },
    wrote: { field: 'devices.device_description', value: text },
  }),
  updateCollection: (_records, _caller, text) => ({
    body: { collectionDescription: text },
    wrote: { field: 'collections.collection_description', value: text },
  }),
  updateUser: (_records, _caller, text) => ({
    body: { displayName: text },
    wrote: { field: 'users.display_name', value: text },
  }),
  addCollectionItem: ({ keys, deviceID }, caller) => ({
    body: caller % 2 ? { itemType: 'file', itemID: keys.file[0] } : { itemType: 'device', itemID: deviceID },
  }),
  addCollectionItems: ({ keys, deviceID }, caller) => ({
    body: caller % 2 ? { itemType: 'file', itemIDs: [keys.file[0]] } : { itemType: 'device', itemIDs: [deviceID] },
  }),
  startDeviceBulk: ({ keys, deviceID }, caller) => ({
    body:
      caller % 2
        ? { action: 'collect', deviceIDs: [deviceID], collectionID: keys.collection[0] }
        : { action: 'sendEvent', deviceIDs: [deviceID], event: { eventType: 'Reboot' } },
  }),
  takeOutItems: ({ keys }) => ({ body: { collectionItemIDs: keys.collectionitem } }),
  announceAudioClips: ({ keys }) => ({
    body: [3, 0, 2, 1].map((place) => ({
      startTime: 1_794_704_500 + place,
      clipLengthInSeconds: 1,
      audioClipTypeID: 0,
      fileID: keys.file[place],
    })),
  }),
  createAudioClip: ({ deviceID, keys }) => ({
    body: { deviceID, startTime: 1_794_704_501, audioClipTypeID: 0, fileID: keys.file[0] },
  }),
  announceAudioClip: () => ({ body: { startTime: 1_794_704_502, audioClipTypeID: 0, clipLengthInSeconds: 20 } }),
  updateAudioClip: (_records, caller, text) => ({
    body: { audioClipParameters: text, clipLengthInSeconds: 1 + caller },
    wrote: { field: 'audio_clips.audio_clip_parameters', value: text },
  }),
  patchAudioClip: ({ keys }, caller) => ({
    body: [{ op: 'add', path: '/fileID', value: keys.file[(caller + 1) % 4] }],
  }),
  requestUpload: ({ deviceID, keys }, caller) => ({
    body: { deviceID, audioClips: caller % 2 ? keys.audioclip : keys.audioclip.toReversed() },
  }),
  concatenateAudioClips: ({ deviceID, keys }) => ({
    body: { deviceID, audioClips: keys.audioclip.map((key) => ({ key })) },
  }),
  exportAudioClips: ({ deviceID }, caller) => ({
    body: { deviceID, startEpoch: 0, endEpoch: latestEpoch - (caller % 3) },
  }),
  createAudioClipTag: ({ deviceSerial }, caller) => ({ body: { tagName: `${deviceSerial} ${caller % 2}` } }),
  correctCaption: (_records, _caller, text) => ({
    body: { transcript: text },
    wrote: { field: 'captions.transcript', value: text },
  }),
  restoreCaption: () => ({
    body: { version: 1 },
    wrote: { field: 'captions.transcript', value: firstTranscript },
  }),
  updateEventPreset: (_records, _caller, text) => ({
    body: { eventPresetName: text },
    wrote: { field: 'event_presets.event_preset_name', value: text },
  }),
  updateSavedSearch: (_records, _caller, text) => ({
    body: { searchName: text },
    wrote: { field: 'saved_searches.search_name', value: text },
  }),
  createTeam: ({ guestID }, _caller, text) => ({ body: { teamName: text, userIDs: [guestID] } }),
  updateTeam: ({ guestID }, _caller, text) => ({
    body: { teamDescription: text, rota: [{ userID: guestID, from: '18:00', to: '08:00' }] },
  }),
  updateRuleAlert: (_records, caller) => ({ body: { state: caller % 2 ? 'acknowledged' : 'closed' } }),
  updateChannel: (_records, _caller, text) => ({
    body: { channelName: text },
    wrote: { field: 'channels.channel_name', value: text },
  }),
  setDeviceDisclosure: (_records, caller) => ({ body: { isDisclosed: caller % 2 === 0 } }),
  setDevicePublication: ({ keys }, n) => ({ body: { isPublished: n % 2 > 0, eventPresetIDs: keys.eventpreset } }),
  putBellManners: (_records, caller) => ({ body: { refusesOthers: caller % 2 === 0 } }),
  acknowledgeAlert: ({ keys, deviceID }, caller) => ({
    body:
      caller % 2
        ? {
            alert: 'failedEvents',
            keys: caller % 3 ? keys.event : keys.event.toReversed(),
            isAcknowledged: caller % 5 > 0,
          }
        : { alert: 'differentSettings', keys: [deviceID] },
  }),
  retryEvents: ({ keys }, caller) => ({ body: { eventIDs: caller % 2 ? keys.event : keys.event.toReversed() } }),
  runEventPreset: () => ({ body: {} }),
  createEventPreset: ({ deviceID }) => ({ body: { deviceID, eventType: 'Reboot' } }),
  createEvent: ({ deviceID }) => ({ body: { deviceID, eventType: 'Reboot' } }),
  createEventType: (_records, _caller, text) => ({
    body: { eventTypeName: `T${text.replaceAll('-', '')}`, agentType: 'Audio', aliases: ['Shared_alias'] },
  }),
  mergeDevice: ({ otherDeviceID }) => ({ body: { intoDeviceID: otherDeviceID } }),
  createAgentType: (_records, _caller, text) => ({ body: { agentTypeName: `T ${text}` } }),
  addVocabulary: (_records, caller, text) => ({ body: { terms: [{ term: `Gate ${caller % 2}`, spokenAs: [text] }] } }),
  addGroupVocabulary: (_records, caller, text) => ({
    body: { terms: [{ term: `Gate ${caller % 2}`, spokenAs: [text] }] },
  }),
  updateTalkgroup: (_records, _caller, text) => ({ body: { talkgroup: 1, talkgroupLabel: text } }),
};

function writerOf([name, operation]: readonly [string, Operation]): Writer {
  const kinds = new Set(operation.acts.map(({ record }) => record));
  const asGuest = ofGuest.has(name) || [...kinds].some((kind) => byGuest.has(kind));
  const bySession = operation.access === 'session' || operation.access === 'admin';
  return {
    name,
    kinds,
    removes: operation.method === 'DELETE' || name === 'mergeDevice',
    async act(scene, records, caller) {
      const { body: varied, wrote } = variations[name]?.(records, caller, randomUUID()) ?? {};
      const built = buildRequest(operation, namedBy(operation, records, caller));
      const { target, body } = built;
      const guest = { cookie: records.guestCookies[caller % records.guestCookies.length] ?? '' };
      const credential = asGuest ? guest : bySession ? scene.adminSession : scene.adminKey;
      const headers = { ...built.headers, ...credential };
      const url = scene.urls[caller % scene.urls.length] ?? '';
      const sent = varied ?? (operation.bytes === 'received' ? tinyWav() : body);
      const { status, text, json }: Answer = await ask(url, operation.method, target, { headers, body: sent });
      return { writer: name, status, text, json, wrote };
    },
  };
}

function namedBy(operation: Operation, records: Records, caller: number): Map<string, unknown> {
  const named = new Map<string, unknown>();
  for (const act of operation.acts) {
    const keys = records.keys[act.record];
    const key = keys[caller % keys.length];
    const reading = readingOf(operation, act);
    const text = act.by === 'headers.upload-metadata' ? metadataNaming(records.deviceSerial) : records.deviceSerial;
    const value = reading === 'text' ? text : reading === 'numbers' ? [key] : key;
    named.set(act.by, value);
  }
  return named;
}

/** Everything that writes: a new operation of the contract is included without further code. */
export const writers: readonly Writer[] = [...operationList.filter(isWriter).map(writerOf), ...otherWriters];
