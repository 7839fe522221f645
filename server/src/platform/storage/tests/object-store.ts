import { randomBytes } from 'node:crypto';
import { createS3Client } from '@earshot/server/platform/storage/s3-client';
import { parseS3Url } from '@earshot/server/platform/storage/s3-url';
import { isCephInstalled, startCeph } from './ceph.ts';

/** Why tests with an object store are skipped, if they are. `npm test` installs it where it is allowed to. */
export const noObjectStore = isCephInstalled()
  ? undefined
  : 'no object store is installed (apt-get install ceph-mon ceph-osd radosgw)';

export interface ObjectStore {
  /** The URL of an empty bucket; further settings may be added with `&`. */
  readonly url: string;
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly stop: () => Promise<void>;
}

/** Starts a real object store with one bucket; undefined if none is installed. The caller stops it. */
export async function startObjectStore(): Promise<ObjectStore | undefined> {
  if (noObjectStore !== undefined) return undefined;
  const ceph = await startCeph();
  try {
    const [accessKey, secretKey] = [randomBytes(10).toString('hex'), randomBytes(20).toString('hex')];
    await ceph.addUser('earshot', accessKey, secretKey);
    const url = `s3://recordings?endpoint=${ceph.endpoint}`;
    const client = createS3Client({ location: parseS3Url(url), accessKey, secretKey });
    const made = await client.send({ method: 'PUT' });
    await made.body.dump();
    return { url, endpoint: ceph.endpoint, accessKey, secretKey, stop: ceph.stop };
  } catch (error) {
    await ceph.stop();
    throw error;
  }
}
