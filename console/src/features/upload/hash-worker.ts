import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/* Runs in a worker, so that the page stays smooth. The browser's own SHA-256 needs HTTPS and the whole file in memory. */

export interface HashRequest {
  readonly id: number;
  readonly file: File;
}

export interface HashAnswer {
  readonly id: number;
  readonly hash?: string;
  readonly problem?: string;
}

const pieceBytes = 4_194_304;

async function hashOf(file: File): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += pieceBytes) {
    hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}

addEventListener('message', ({ data }: MessageEvent<HashRequest>) => {
  const answer = (rest: Omit<HashAnswer, 'id'>) => postMessage({ id: data.id, ...rest });
  hashOf(data.file).then(
    (hash) => answer({ hash }),
    (error: unknown) => answer({ problem: String(error) }),
  );
});
