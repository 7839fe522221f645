import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export const secretKeyBytes = 32;
const version = 1;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets that must be readable again, such as signing secrets, for storage in the database. */
export interface SecretBox {
  /** `purpose` is bound to the ciphertext: it cannot be decrypted in another row or column. */
  seal(secret: string, purpose: string): Buffer;
  open(sealed: Uint8Array, purpose: string): string;
  /** Derives a key for signing; the same on every node and after every start. */
  derive(purpose: string): Buffer;
}

/** AES-256-GCM; layout: version, initialisation vector, tag, ciphertext. */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== secretKeyBytes) throw new Error(`the secret key must have ${secretKeyBytes} bytes`);
  return {
    seal(secret, purpose) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), text]);
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== version)
        throw new Error('a stored secret has a format that this version does not know; start a newer version');
      const iv = bytes.subarray(1, 1 + ivBytes);
      const tag = bytes.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose)).setAuthTag(tag);
      return Buffer.concat([decipher.update(bytes.subarray(1 + ivBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      );
    },
    derive: (purpose) => Buffer.from(hkdfSync('sha256', key, '', purpose, secretKeyBytes)),
  };
}
