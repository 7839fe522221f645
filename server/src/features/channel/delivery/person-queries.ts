import type { Role } from '@earshot/contract/user';
import type { Db } from '../../../platform/database/connect.ts';

export interface FoundPerson {
  readonly userID: number;
  readonly role: Role;
}

/** The person of this installation with the address, unless disabled. */
export async function findPersonAt(db: Db, address: string): Promise<FoundPerson | undefined> {
  const [row] = await db<FoundPerson[]>`
    select key as "userID", role from users where lower(email) = lower(${address}) and not disabled`;
  return row;
}
