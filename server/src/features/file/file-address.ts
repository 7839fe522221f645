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
  readonly expires?: number | undefined;
  readonly signature?: string | undefined;
}

export type AddressUse = 'upload' | 'download';

export interface FileAddresses {
  /** An address that anyone who has it may use for an hour. */
  make(use: AddressUse, origin: string, file: Addressed): string;
  /** False for an address that this server did not issue; throws if the address has expired. */
  check(use: AddressUse, file: Addressed, proof: AddressProof): boolean;
}

const methods = { upload: 'PUT', download: 'GET' } as const;

/** The salt is null until the first restore. */
export function createFileAddresses(secretBox: Pick<SecretBox, 'derive'>, salt: string | null): FileAddresses {
  const key = secretBox.derive(`addresses to upload to${salt === null ? '' : ` ${salt}`}`);
  const sign = (use: AddressUse, { key: fileID, fileSize }: Addressed, expires: number): Buffer =>
    createHmac('sha256', key).update([methods[use], fileID, fileSize, expires].join('\n')).digest();
  return {
    make(use, origin, file) {
      const expires = nowSeconds() + uploadSeconds;
      const signature = sign(use, file, expires).toString('base64url');
      return `${origin}/v1/file/${file.key}/${use}?expires=${expires}&signature=${signature}`;
    },
    check(use, file, { expires, signature }) {
      if (expires === undefined || signature === undefined) return false;
      if (!sameSecret(Buffer.from(signature, 'base64url'), sign(use, file, expires))) return false;
      if (expires < nowSeconds()) throw forbidden(expired[use]);
      return true;
    },
  };
}

const expired = {
  upload: 'The upload address has expired; create a new file.',
  download: 'The download address has expired; read the file again for a new one.',
} as const;

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
