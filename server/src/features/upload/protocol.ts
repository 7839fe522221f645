import { checksumAlgorithms, tusVersion } from '@earshot/contract/upload';
import { invalidField, Refusal } from '../../errors.ts';

/** Throws 412 unless the request uses the version of the protocol that this server supports. */
export function requireVersion({ 'tus-resumable': version }: { readonly 'tus-resumable'?: string }): void {
  if (version === tusVersion) return;
  const given = version === undefined ? 'is missing' : `is ${version}`;
  throw new Refusal('unknownProtocol', `The header Tus-Resumable ${given}; it must be ${tusVersion}.`, {
    headers: { 'tus-version': tusVersion },
  });
}

/** Throws 400 for a part of a recording: taken for a whole one, it would become a clip of its own. */
export function refuseConcatenation({ 'upload-concat': concat }: { readonly 'upload-concat'?: string }): void {
  if (concat === undefined) return;
  throw invalidField('upload-concat', 'is not supported: send the recording as one upload, without parallel parts');
}

export interface Checksum {
  readonly algorithm: string;
  readonly digest: Buffer;
}

/** `<algorithm> <digest in Base64>`; undefined without the header. */
export function readChecksum(text: string | undefined): Checksum | undefined {
  if (text === undefined) return undefined;
  const [algorithm = '', encoded = ''] = text.trim().split(/\s+/);
  if (!checksumAlgorithms.some((known) => known === algorithm)) {
    throw invalidField('upload-checksum', `must use ${checksumAlgorithms.join(' or ')}`);
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw invalidField('upload-checksum', 'must be a digest in Base64');
  return { algorithm, digest: Buffer.from(encoded, 'base64') };
}
