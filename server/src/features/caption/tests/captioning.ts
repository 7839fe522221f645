import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from '@earshot/client/client';
import { ApiError } from '@earshot/client/api-error';
import type { Caption } from '@earshot/contract/caption';
import type { Event } from '@earshot/contract/event';
import { noCaptions } from '@earshot/server/testing/server';
import { expect, vi } from 'vitest';

/** `patience`: for what takes long on any machine. */
export const eventually = <Value>(check: () => Value | Promise<Value>, patience: { readonly timeout?: number } = {}) =>
  vi.waitFor(check, { ...patience, interval: 50 });

/** The real engine, with the models of this checkout. */
export const realEngine = { ...noCaptions, kind: 'moonshine' } as const;

const recording = '/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0930.wav';
export const saidInRecording = 'he might even have been made amiable himself';
/** A woman reads a sentence of Jane Austen. */
export const readRecording = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(recording));

export interface Recorder {
  readonly deviceID: number;
  readonly deviceSerial: string;
  /** A clip without sound, some seconds after the start. */
  announce(atSeconds?: number): Promise<number>;
  /** A clip with this sound. */
  add(sound: Uint8Array<ArrayBuffer>, atSeconds?: number): Promise<number>;
  put(audioClipID: number, sound: Uint8Array<ArrayBuffer>): Promise<void>;
}

export const start = 1_794_704_400;

export async function addRecorder(client: Client, autoCaption = true): Promise<Recorder> {
  const deviceSerial = `d-${randomUUID()}`;
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial, autoCaption } });
  let clips = 0;
  const announce = async (atSeconds = 100 * clips++) => {
    const body = { startTime: start + atSeconds };
    const { key = 0 } = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
    return key;
  };
  const put = async (audioClipID: number, sound: Uint8Array<ArrayBuffer>) => {
    await client.putAudioClipContent({ params: { audioClipID }, body: sound });
  };
  return {
    deviceID,
    deviceSerial,
    announce,
    put,
    async add(sound, atSeconds) {
      const key = await announce(atSeconds);
      await put(key, sound);
      return key;
    },
  };
}

export const findCaption = async (client: Client, captionID: number): Promise<Caption | undefined> => {
  try {
    return await client.getCaption({ params: { captionID } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
};

export const captionOf = (client: Client, captionID: number): Promise<Caption> =>
  eventually(async () => {
    const caption = await findCaption(client, captionID);
    return caption ?? Promise.reject(new Error(`clip ${captionID} has no caption`));
  });

export const plainWords = ({ segments }: Caption): string =>
  segments.flatMap(({ words }) => words.map(({ text }) => text.toLowerCase().replace(/[^a-z']/g, ''))).join(' ');

export const eventsOf = async (client: Client, deviceID: number): Promise<Event[]> =>
  client.listEvents({ body: { deviceID, order: 'asc' } });

/** All events, after they have ended. */
export const endedEvents = (client: Client, deviceID: number): Promise<Event[]> =>
  eventually(async () => {
    const events = await eventsOf(client, deviceID);
    for (const { eventStatus } of events) expect(eventStatus).toBeGreaterThan(3);
    return events;
  });

export const resultOf = ({ result }: Event): Record<string, unknown> => JSON.parse(result ?? '{}') as never;
