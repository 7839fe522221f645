import type { Person } from '@earshot/server/testing/person';
import { createPeople } from '@earshot/server/testing/person';

const email = 'admin@example.org';
const password = 'the admin of these tests';

/** Make the first start create the admin that `signInAdmin` signs in. */
export const adminSettings = { EARSHOT_ADMIN_EMAIL: email, EARSHOT_ADMIN_PASSWORD: password };

export const adminSignIn = { email, password };

export function signInAdmin(url: string): Promise<Person> {
  return createPeople(url).signIn(email, password);
}
