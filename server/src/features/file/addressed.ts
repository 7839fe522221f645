import type { Right } from '@earshot/contract/operation';
import { forbidden, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { hasFileRight } from '../../access.ts';
import type { AddressProof, AddressUse, FileAddresses } from './file-address.ts';
import { findRole } from './queries.ts';
import type { StoredFile } from './stored-queries.ts';
import { findStoredFile } from './stored-queries.ts';

interface AddressParts {
  readonly db: Db;
  readonly addresses: FileAddresses;
}

const rights = { upload: 'write', download: 'read' } as const satisfies Record<AddressUse, Right>;

/**
 * The file of a signed address, and the person for whom the address was made, whose right must still hold. Without a
 * valid address the response does not reveal whether the file exists.
 */
export async function requireAddressed(
  { db, addresses }: AddressParts,
  use: AddressUse,
  fileID: number,
  proof: AddressProof,
): Promise<{ file: StoredFile; caller: Caller }> {
  const file = await findStoredFile(db, fileID);
  const userID = file && addresses.findPerson(use, file, proof);
  if (!file || userID === undefined) throw notFound(use === 'upload' ? 'upload' : 'file', fileID);
  const role = await findRole(db, userID);
  const caller = role && ({ userID, role, credential: 'signed address' } as const);
  if (!caller || !(await hasFileRight(db, caller, rights[use], fileID))) throw forbidden(withdrawn[use]);
  return { file, caller };
}

const withdrawn = {
  upload: 'The person for whom this upload address was made may no longer change the file.',
  download: 'The person for whom this download address was made may no longer read the file.',
} as const;
