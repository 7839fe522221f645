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

export interface UploadAddresses {
  /** An address to which anyone who has it may PUT the bytes for an hour. */
  make(origin: string, file: Addressed): string;
  /** False for an address that this server did not issue; throws if the address has expired. */
  check(file: Addressed, proof: AddressProof): boolean;
}

export function createUploadAddresses(secretBox: Pick<SecretBox, 'derive'>): UploadAddresses {
  const key = secretBox.derive('addresses to upload to');
  const sign = ({ key: fileID, fileSize }: Addressed, expires: number): Buffer =>
    createHmac('sha256', key).update(['PUT', fileID, fileSize, expires].join('\n')).digest();
  return {
    make(origin, file) {
      const expires = nowSeconds() + uploadSeconds;
      const signature = sign(file, expires).toString('base64url');
      return `${origin}/v1/file/${file.key}/upload?expires=${expires}&signature=${signature}`;
    },
    check(file, { expires, signature }) {
      if (expires === undefined || signature === undefined) return false;
      if (!sameSecret(Buffer.from(signature, 'base64url'), sign(file, expires))) return false;
      if (expires < nowSeconds()) throw forbidden('The upload address has expired; create a new file.');
      return true;
    },
  };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
