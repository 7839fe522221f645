import type { Right } from '@earshot/contract/operation';
import { forbidden, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { hasFileRight } from '../../access.ts';
import type { AddressProof, AddressUse, FileAddresses } from './file-address.ts';
import { findAddressCaller } from './maker-queries.ts';
import type { StoredFile } from './stored-queries.ts';
import { findStoredFile } from './stored-queries.ts';

interface AddressParts {
  readonly db: Db;
  readonly addresses: FileAddresses;
}

const rights = { upload: 'write', download: 'read' } as const satisfies Record<AddressUse, Right>;

/**
 * The file of a signed address, and the caller for whom the address was made: the right must still hold, the API key
 * exist, and the session not have ended. Without a valid address the response does not reveal whether the file exists.
 */
export async function requireAddressed(
  { db, addresses }: AddressParts,
  use: AddressUse,
  fileID: number,
  proof: AddressProof,
): Promise<{ file: StoredFile; caller: Caller }> {
  const file = await findStoredFile(db, fileID);
  const maker = file && addresses.findMaker(use, file, proof);
  if (!file || !maker) throw notFound(use === 'upload' ? 'upload' : 'file', fileID);
  const caller = await findAddressCaller(db, maker);
  const mayUse = use === 'upload' || !caller?.isWriteOnly;
  if (!caller || !mayUse || !(await hasFileRight(db, caller, rights[use], fileID))) throw forbidden(withdrawn[use]);
  return { file, caller };
}

const withdrawn = {
  upload:
    'The person or API key for which this upload address was made may no longer change the file, or the session in ' +
    'which it was made has ended. Create a new file.',
  download:
    'The person or API key for which this download address was made may no longer read the file, or the session in ' +
    'which it was made has ended. Read the file again for a new one.',
} as const;
