import { randomUUID } from 'node:crypto';
import { exampleHash } from '@earshot/contract/agent-release';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { downloadFile } from '@earshot/contract/file';
import type { World } from './fixtures.ts';
import { castPassword } from './cast.ts';

/** Makes the records that a request needs, and returns what it has instead of the examples, by its place. */
export type Preparation = (world: World) => Promise<Readonly<Record<string, unknown>>>;

const byOwner: Preparation = async () => ({});

/** A device of the member without clips. */
async function addOtherDevice({ cast }: World): Promise<number> {
  const { key = 0 } = await cast.member.session.createDevice({ body: { deviceSerial: `other-${randomUUID()}` } });
  return key;
}

async function failReboot({ server, ...world }: World): Promise<number> {
  const { key } = await world.record('event', 'own');
  await server.db`update events set event_status = 5, agent_id = null, lease_end_date = null where key = ${key}`;
  return key;
}

async function addressOfFile({ cast, ...world }: World): Promise<Record<string, unknown>> {
  const { key: fileID } = await world.record('file', 'own');
  const { fileLocation = '' } = await cast.member.session.getFile({ params: { fileID } });
  const given = new URL(fileLocation).searchParams;
  const query = Object.keys(downloadFile.query.properties).map(
    (name) => [`query.${name}`, given.get(name) ?? undefined] as const,
  );
  return { 'params.fileID': fileID, ...Object.fromEntries(query) };
}

/** A clip that had other sound than the example before, and a file that it could have instead. */
async function clipWithOtherSound({ cast, ...world }: World): Promise<{ audioClipID: number; formerFileID: number }> {
  const audioClipID = (await world.record('audioclip', 'own')).key;
  const params = { audioClipID };
  const { fileID: formerFileID = 0 } = await cast.member.session.putAudioClipContent({ params, body: tinyWav(0.7) });
  await cast.member.session.putAudioClipContent({ params, body: tinyWav(0.8) });
  return { audioClipID, formerFileID };
}

/** A clip that loses its sound. */
const withoutSound =
  (body: unknown): Preparation =>
  async (world) => ({ 'params.audioClipID': (await clipWithOtherSound(world)).audioClipID, body });

/** A clip that gets another file as its sound. */
const withOtherFile =
  (bodyOf: (fileID: number) => unknown): Preparation =>
  async (world) => {
    const { audioClipID } = await clipWithOtherSound(world);
    const { key: fileID } = await world.record('file', 'own');
    return { 'params.audioClipID': audioClipID, body: bodyOf(fileID) };
  };

/**
 * For operations whose example does not show all entries that they declare: the requests that do, each with records of
 * its own.
 */
export const trailRequests: Readonly<Record<string, readonly Preparation[]>> = {
  addCollectionItems: [async (world) => ({ 'body.itemIDs': [(await world.record('device', 'own')).key] })],
  createSession: [
    byOwner,
    async ({ cast }) => {
      const { email, cookie } = cast.member;
      return { 'body.email': email, 'body.password': castPassword, 'headers.cookie': cookie };
    },
  ],
  usePasswordReset: [
    async ({ cast }) => {
      const params = { userID: cast.member.userID };
      return { 'body.token': (await cast.admin.session.createPasswordReset({ params })).token };
    },
  ],
  exchangeInstallationCode: [
    async ({ cast, ...world }) => {
      const params = { deviceID: (await world.record('device', 'own')).key };
      return { 'body.code': (await cast.member.session.createInstallationCode({ params })).code };
    },
  ],
  // Making samples takes seconds of speech: features/sample shows that they leave no entry.
  createSamples: [
    async ({ server, ...world }) => {
      const { key } = await world.record('device', 'own');
      await server.db`insert into sample_devices (device_id) values (${key})`;
      return {};
    },
  ],
  createTeam: [byOwner, async ({ cast }) => ({ 'body.userIDs': [cast.member.userID] })],
  // The team of the table has the person already.
  addTeamPerson: [async ({ cast }) => ({ 'params.userID': cast.owner.userID })],
  removeTeamPerson: [
    async ({ cast, ...world }) => ({
      'params.teamID': (await world.record('team', 'own')).key,
      'params.userID': cast.member.userID,
    }),
  ],
  removeCollectionTeam: [
    async ({ server, ...world }) => {
      const [collection, team] = [await world.record('collection', 'own'), await world.record('team', 'own')];
      await server.db`insert into collection_teams (collection_id, team_id) values (${collection.key}, ${team.key})`;
      return {};
    },
  ],
  downloadFile: [addressOfFile],
  mergeDevice: [async (world) => ({ 'body.intoDeviceID': await addOtherDevice(world) })],
  unlockAudioClip: [
    async ({ cast, ...world }) => {
      const params = { audioClipID: (await world.record('audioclip', 'own')).key };
      await cast.member.session.lockAudioClip({ params });
      return {};
    },
  ],
  putAudioClipContent: [async (world) => ({ 'params.audioClipID': (await clipWithOtherSound(world)).audioClipID })],
  updateAudioClip: [byOwner, withOtherFile((fileID) => ({ fileID })), withoutSound({ fileID: null })],
  patchAudioClip: [
    withOtherFile((value) => [{ op: 'replace', path: '/fileID', value }]),
    withoutSound([{ op: 'remove', path: '/fileID' }]),
  ],
  deleteAudioClip: [async (world) => ({ 'params.audioClipID': (await clipWithOtherSound(world)).audioClipID })],
  deleteDevice: [
    async (world) => {
      await clipWithOtherSound(world);
      return {};
    },
  ],
  deleteFile: [byOwner, async (world) => ({ 'params.fileID': (await clipWithOtherSound(world)).formerFileID })],
  correctCaption: [byOwner, async () => ({ 'body.transcript': '', 'body.words': undefined })],
  restoreCaption: [
    byOwner,
    async ({ cast, ...world }) => {
      const params = { captionID: (await world.record('caption', 'own')).key };
      const { version } = await cast.member.session.correctCaption({ params, body: { transcript: '' } });
      return { 'body.version': version };
    },
  ],
  confirmCaption: [
    async ({ server, cast, ...world }) => {
      const params = { captionID: (await world.record('caption', 'own')).key };
      const { version = 0 } = await cast.member.session.correctCaption({ params, body: { transcript: 'Good day.' } });
      const word = { text: 'Morning', startMs: 0, endMs: 500, confidence: 90 };
      const unconfirmed = { language: 'en', words: [word] };
      const segment = {
        startMs: 0,
        endMs: 500,
        text: '',
        confidence: 0,
        isLanguageKnown: false,
        words: [],
        unconfirmed,
      };
      await server.db`
        update caption_versions set segments = ${JSON.stringify([segment])}::text::jsonb
        where audio_clip_id = ${params.captionID} and version = ${version}`;
      return {};
    },
  ],
  createEvent: [byOwner, async () => ({ 'body.eventType': 'Reboot' })],
  retryEvents: [async (world) => ({ 'body.eventIDs': [await failReboot(world)] })],
  runEventPreset: [
    async ({ server, ...world }) => {
      const { key } = await world.record('eventpreset', 'own');
      await server.db`
        update event_presets set event_type_id = t.key from event_types t
        where event_presets.key = ${key} and t.event_type_name = 'Reboot'`;
      return {};
    },
  ],
  takeBackRollout: [
    async ({ server, ...world }) => {
      const { key } = await world.record('rollout', 'own');
      await server.db`
        update rollout_devices set state = 'done', former_sha256 = ${exampleHash} where rollout_id = ${key}`;
      return {};
    },
  ],
};

/** Operations whose entries are shown by another test, which names the action. */
export const shownElsewhere: Readonly<Record<string, string>> = {
  // Needs an installation without people.
  setUp: 'tests/access/setup.test.ts',
  // Need a link that only a message has.
  acknowledgeByLink: 'server/src/features/channel/tests/email.test.ts',
  confirmChannel: 'server/src/features/channel/tests/email.test.ts',
};
