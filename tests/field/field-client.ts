import { createHash, randomUUID } from 'node:crypto';
import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect } from 'vitest';

/*
 * What clients of this API in the field really send, request by request. They are not the typed client, so requests are
 * written out as they arrive on the wire.
 */

export interface FieldAnswer {
  readonly status: number;
  readonly body: unknown;
}
export type Ask = (method: string, path: string, body?: unknown) => Promise<FieldAnswer>;

export async function askWith(server: SharedServer, person: Person): Promise<Ask> {
  const { credential } = await person.withKey();
  const authorization = `Basic ${Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64')}`;
  return async (method, path, body) => {
    const response = await fetch(new URL(path, server.url), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

export const record = ({ body }: FieldAnswer) => body as Record<string, unknown>;
export const list = ({ body }: FieldAnswer) => body as Record<string, unknown>[];

/** The answer, which must be a success. */
export async function ok(asked: Promise<FieldAnswer>): Promise<FieldAnswer> {
  const answer = await asked;
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return answer;
}

/** A person with a device, and requests with an API key of theirs. */
export async function createFieldClient() {
  const server = await sharedTestServer();
  const owner = await server.addPerson();
  const ask = await askWith(server, owner);
  const serial = `field-${randomUUID()}`;
  const { key: deviceID = 0 } = await owner.session.createDevice({ body: { deviceSerial: serial } });
  let second = 1_700_000_000;
  return {
    server,
    owner,
    ask,
    serial,
    deviceID,
    /** A start that no clip has yet. */
    nextSecond: () => second++,
    announce: async (clip: object = {}) =>
      record(
        await ok(ask('POST', `/v1/audioclip/${serial}`, { startTime: second++, clipLengthInSeconds: 1, ...clip })),
      ),
    uploadedFile: async (): Promise<number> => {
      const bytes = Buffer.from('a file of no sound');
      const sHA256Hash = createHash('sha256').update(bytes).digest('hex');
      const given = { deviceName: serial, filename: 'a.bin', fileSize: bytes.length, sHA256Hash };
      const { fileID, fileLocation } = record(await ok(ask('POST', '/v1/file', given)));
      expect((await fetch(String(fileLocation), { method: 'PUT', body: bytes })).status).toBe(200);
      await ok(ask('POST', `/v1/file/success/${String(fileID)}`));
      return Number(fileID);
    },
  };
}

export type FieldClient = Awaited<ReturnType<typeof createFieldClient>>;
