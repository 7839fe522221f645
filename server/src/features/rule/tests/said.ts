import type { SharedServer } from '../../../testing/server.ts';

/** A person with a device, and what is said on it. */
export async function createScene(server: SharedServer) {
  const person = await server.addPerson();
  const { client } = await person.withKey();
  const addDevice = async (timeZone?: string): Promise<number> => {
    const body = { deviceSerial: `said-${person.userID}-${serial++}`, ...(timeZone ? { timeZone } : {}) };
    return (await client.createDevice({ body })).key ?? 0;
  };
  /** A clip of a second, with this transcript; without one, it is not transcribed. */
  const say = async (deviceID: number, startMs: number, transcript?: string): Promise<number> => {
    const body = {
      deviceID,
      audioClipTypeID: 0,
      startTime: Math.floor(startMs / 1_000),
      startTimeMs: startMs % 1_000,
      clipLengthInSeconds: 1,
    };
    const { key = 0 } = await client.createAudioClip({ body });
    if (transcript !== undefined) await client.correctCaption({ params: { captionID: key }, body: { transcript } });
    return key;
  };
  return { person, client, addDevice, say };
}

let serial = 0;
