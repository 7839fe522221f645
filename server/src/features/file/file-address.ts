import { createHmac } from 'node:crypto';
import { uploadSeconds } from '@earshot/contract/file';
import { forbidden } from '../../errors.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { sameSecret } from '../../platform/secrets/tokens.ts';

/** The file for which an address is valid; another size means another upload. */
export interface Addressed {
  readonly key: number;
  readonly fileSize: number;
}

export interface AddressProof {
  readonly person?: number | undefined;
  readonly expires?: number | undefined;
  readonly signature?: string | undefined;
}

export type AddressUse = 'upload' | 'download';

export interface FileAddresses {
  /** An address that anyone who has it may use for an hour, while the person for whom it is made keeps the right. */
  make(use: AddressUse, origin: string, file: Addressed, userID: number): string;
  /** The person for whom it was made; undefined if this server did not issue it. Throws if the address has expired. */
  findPerson(use: AddressUse, file: Addressed, proof: AddressProof): number | undefined;
}

const methods = { upload: 'PUT', download: 'GET' } as const;

/** The salt is null until the first restore. */
export function createFileAddresses(secretBox: Pick<SecretBox, 'derive'>, salt: string | null): FileAddresses {
  const key = secretBox.derive(`addresses to upload to${salt === null ? '' : ` ${salt}`}`);
  const sign = (use: AddressUse, { key: fileID, fileSize }: Addressed, userID: number, expires: number): Buffer =>
    createHmac('sha256', key).update([methods[use], fileID, fileSize, userID, expires].join('\n')).digest();
  return {
    make(use, origin, file, userID) {
      const expires = nowSeconds() + uploadSeconds;
      const signature = sign(use, file, userID, expires).toString('base64url');
      return `${origin}/v1/file/${file.key}/${use}?person=${userID}&expires=${expires}&signature=${signature}`;
    },
    findPerson(use, file, { person, expires, signature }) {
      if (person === undefined || expires === undefined || signature === undefined) return undefined;
      if (!sameSecret(Buffer.from(signature, 'base64url'), sign(use, file, person, expires))) return undefined;
      if (expires < nowSeconds()) throw forbidden(expired[use]);
      return person;
    },
  };
}

const expired = {
  upload: 'The upload address has expired; create a new file.',
  download: 'The download address has expired; read the file again for a new one.',
} as const;

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
