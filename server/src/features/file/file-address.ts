import { createHmac } from 'node:crypto';
import { uploadSeconds } from '@earshot/contract/file';
import { forbidden } from '../../errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { sameSecret } from '../../platform/secrets/tokens.ts';

/** The file for which an address is valid; another size means another upload. */
export interface Addressed {
  readonly key: number;
  readonly fileSize: number;
}

/** For whom an address is made, and the API key or the session in which it was asked for. */
export type AddressMaker = Pick<Caller, 'userID' | 'apiKeyID' | 'sessionID'>;

export interface AddressProof {
  readonly person?: number | undefined;
  readonly apiKey?: number | undefined;
  readonly session?: number | undefined;
  readonly expires?: number | undefined;
  readonly signature?: string | undefined;
}

export type AddressUse = 'upload' | 'download';

export interface FileAddresses {
  /**
   * An address that anyone who has it may use for an hour, while the person for whom it is made keeps the right, the API
   * key exists and the session has not ended.
   */
  make(use: AddressUse, origin: string, file: Addressed, maker: AddressMaker): string;
  /** For whom it was made; undefined if this server did not issue it. Throws if the address has expired. */
  findMaker(use: AddressUse, file: Addressed, proof: AddressProof): AddressMaker | undefined;
}

const methods = { upload: 'PUT', download: 'GET' } as const;

/** The salt is null until the first restore. */
export function createFileAddresses(secretBox: Pick<SecretBox, 'derive'>, salt: string | null): FileAddresses {
  const key = secretBox.derive(`addresses to upload to${salt === null ? '' : ` ${salt}`}`);
  const sign = (
    use: AddressUse,
    { key: fileID, fileSize }: Addressed,
    maker: AddressMaker,
    expires: number,
  ): Buffer => {
    const { userID, apiKeyID, sessionID } = maker;
    const signed: (string | number)[] = [methods[use], fileID, fileSize, userID, expires];
    if (apiKeyID !== undefined) signed.push(apiKeyID);
    if (sessionID !== undefined) signed.push(`session ${sessionID}`);
    return createHmac('sha256', key).update(signed.join('\n')).digest();
  };
  return {
    make(use, origin, file, maker) {
      const expires = nowSeconds() + uploadSeconds;
      const signature = sign(use, file, maker, expires).toString('base64url');
      const apiKey = maker.apiKeyID === undefined ? '' : `&apiKey=${maker.apiKeyID}`;
      const session = maker.sessionID === undefined ? '' : `&session=${maker.sessionID}`;
      const query = `person=${maker.userID}${apiKey}${session}&expires=${expires}&signature=${signature}`;
      return `${origin}/v1/file/${file.key}/${use}?${query}`;
    },
    findMaker(use, file, { person, apiKey, session, expires, signature }) {
      if (person === undefined || expires === undefined || signature === undefined) return undefined;
      const maker = {
        userID: person,
        ...(apiKey === undefined ? {} : { apiKeyID: apiKey }),
        ...(session === undefined ? {} : { sessionID: session }),
      };
      if (!sameSecret(Buffer.from(signature, 'base64url'), sign(use, file, maker, expires))) return undefined;
      if (expires < nowSeconds()) throw forbidden(expired[use]);
      return maker;
    },
  };
}

const expired = {
  upload: 'The upload address has expired; create a new file.',
  download: 'The download address has expired; read the file again for a new one.',
} as const;

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
