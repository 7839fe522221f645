import { randomUUID } from 'node:crypto';
import type { Person } from '@earshot/server/testing/person';
import { createPeople } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { basic } from './ask.ts';
import type { Cast } from './cast.ts';
import { castPassword } from './cast.ts';
import type { World } from './fixtures.ts';

type Headers = Readonly<Record<string, string>>;

const elsewhere = { origin: 'https://elsewhere.example' };

async function keyHeaders(person: Person, deviceID?: number, isWriteOnly = false): Promise<Headers> {
  const { credential } = await person.withKey(deviceID === undefined ? {} : { deviceID, isWriteOnly });
  return basic(credential.accessKey, credential.secretKey);
}

/** A session that expired before its first use, so that no node has cached it. */
export async function expiredSession(server: TestServer, email: string, password: string): Promise<Headers> {
  const { cookie, userID } = await createPeople(server.url).signIn(email, password);
  await server.db`
    update sessions set expiration_date = now() - interval '1 minute'
    where key = (select max(key) from sessions where user_id = ${userID})`;
  return { cookie };
}

/** Used before it is deleted, so that the node has cached it. */
async function deletedKey(person: Person): Promise<Headers> {
  const { client, credential, apiKeyID } = await person.withKey();
  await client.listDevices({ body: {} });
  await person.session.deleteApiKey({ params: { apiKeyID } });
  return basic(credential.accessKey, credential.secretKey);
}

/** A key of the same person, so that only its device denies access to the record. */
async function otherDeviceKey({ member }: Cast, isWriteOnly = false): Promise<Headers> {
  const device = await member.session.createDevice({ body: { deviceSerial: `other-${randomUUID()}` } });
  return keyHeaders(member, device.key, isWriteOnly);
}

/** The credentials of a request, for each kind of caller in the table. */
const callers = {
  nobody: async () => ({}),
  'nobody from another site': async () => elsewhere,
  'expired session': async ({ server, cast }) => expiredSession(server, cast.member.email, castPassword),
  'deleted key': async ({ cast }) => deletedKey(cast.member),
  session: async ({ cast }) => ({ cookie: cast.member.cookie }),
  'session from another site': async ({ cast }) => ({ cookie: cast.member.cookie, ...elsewhere }),
  key: async ({ cast }) => keyHeaders(cast.member),
  'admin session': async ({ cast }) => ({ cookie: cast.admin.cookie }),
  'admin session from another site': async ({ cast }) => ({ cookie: cast.admin.cookie, ...elsewhere }),
  'admin key': async ({ cast }) => keyHeaders(cast.admin),
  'own device key': async (world) => keyHeaders(world.cast.member, (await world.record('device', 'own')).key),
  'other device key': async ({ cast }) => otherDeviceKey(cast),
  'write-only key': async (world) => keyHeaders(world.cast.member, (await world.record('device', 'own')).key, true),
  'other write-only key': async ({ cast }) => otherDeviceKey(cast, true),
} as const satisfies Record<string, (world: World) => Promise<Headers>>;

export type CredentialName = keyof typeof callers;

/** Credentials for a device of their world; all others are the same in every world of a cast. */
const ofWorld: ReadonlySet<CredentialName> = new Set(['own device key', 'write-only key']);

const shown = new WeakMap<World | Cast, Map<CredentialName, Promise<Headers>>>();

/** Created once per cast, or once per world, because each needs at least one request. */
export function headersOf(world: World, credential: CredentialName): Promise<Headers> {
  const bearer = ofWorld.has(credential) ? world : world.cast;
  const known = shown.get(bearer) ?? new Map<CredentialName, Promise<Headers>>();
  shown.set(bearer, known);
  const headers = known.get(credential) ?? callers[credential](world);
  known.set(credential, headers);
  return headers;
}
