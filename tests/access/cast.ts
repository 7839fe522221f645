import { randomUUID } from 'node:crypto';
import { operations } from '@earshot/contract/operations';
import type { Person } from '@earshot/server/testing/person';
import { createPeople } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { insertExampleRelease, insertSession, insertUser } from './inserts.ts';

/** The people of the table. All of them have the password of the contract's examples. */
export interface Cast {
  readonly member: Person;
  /** The owner of all records that are not the member's. */
  readonly owner: Person;
  readonly admin: Person;
}

const examples = operations.changePassword.body.properties.oldPassword as { examples?: string[] };
export const castPassword = examples.examples?.[0] ?? '';

export async function createCast(server: TestServer): Promise<Cast> {
  await insertExampleRelease(server.db);
  const [member, owner, admin] = await Promise.all([
    addPerson(server, 'member'),
    addPerson(server, 'member'),
    addPerson(server, 'admin'),
  ]);
  return { member, owner, admin };
}

async function addPerson(server: TestServer, role: 'admin' | 'member'): Promise<Person> {
  const { key: userID, email } = await insertUser(server.db, role, await passwordHolder(server));
  const { cookie } = await insertSession(server.db, userID);
  return createPeople(server.url).inSession({ userID, email, cookie });
}

const passwordHolders = new WeakMap<TestServer, Promise<number>>();

/** A person who gets the password of the cast over HTTP, once per server. */
export function passwordHolder(server: TestServer): Promise<number> {
  const create = async (): Promise<number> => {
    const body = { email: `${randomUUID()}@example.org`, password: castPassword };
    return (await server.admin.session.createUser({ body })).key ?? 0;
  };
  const holder = passwordHolders.get(server) ?? create();
  passwordHolders.set(server, holder);
  return holder;
}
