import { randomBytes } from 'node:crypto';
import { createS3Client } from '@earshot/server/platform/storage/s3-client';
import { parseS3Url } from '@earshot/server/platform/storage/s3-url';
import { startCeph } from './ceph.ts';

export interface ObjectStore {
  /** The URL of an empty bucket; further settings may be added with `&`. */
  readonly url: string;
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly stop: () => Promise<void>;
}

/** Starts a real object store with one bucket. The caller stops it. */
export async function startObjectStore(): Promise<ObjectStore> {
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
