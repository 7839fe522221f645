import { createHash, createHmac, randomUUID } from 'node:crypto';

/*
 * The day of a device, as the SDK of the field lives it: each request is signed, devices are named by their serial in
 * `deviceName`, and optional fields are sent as null or 0.
 */

export interface DeviceKey {
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The SDK ends each header line with a line break before it joins the parts, so that blank lines appear. */
function signedHeaders({ accessKey, secretKey }: DeviceKey, method: string, path: string, query: string, body: string) {
  const headers: Record<string, string> = {
    Authorization: `HMAC-SHA256 ${accessKey}`,
    'X-AccessKey': accessKey,
    'X-Nonce': randomUUID(),
    'X-Timestamp': String(Math.floor(Date.now() / 1000)),
  };
  const lines = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, value]) => `${name}: ${value}\n`).join('');
  const text = [
    method,
    path,
    lines(Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    lines([...new URLSearchParams(query)]),
    body,
  ].join('\n');
  const signature = createHmac('sha256', secretKey).update(text.trim()).digest('hex');
  return { ...headers, 'X-Signature': signature, 'Content-Type': 'application/json' };
}

type Json = Record<string, unknown>;

export function createSdk(key: DeviceKey) {
  return async (method: string, path: string, given?: unknown, query = ''): Promise<unknown> => {
    const body = given === undefined ? '' : JSON.stringify(given);
    const response = await fetch(`${key.url}${path}${query && `?${query}`}`, {
      method,
      headers: signedHeaders(key, method, path, query, body),
      ...(body === '' ? {} : { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
}

export interface Day {
  readonly deviceID: number;
  readonly serial: string;
  readonly sound: Uint8Array<ArrayBuffer>;
  readonly startTime: number;
  /** Called when the device waits for work. */
  readonly onIdle: () => Promise<void>;
}

/** Runs the day and returns what the device was told. */
export async function liveDay(key: DeviceKey, { deviceID, serial, sound, startTime, onIdle }: Day) {
  const send = createSdk(key);
  const names = { deviceName: serial, deviceSerial: null };
  const transfer = { ...names, agentType: 'Transfer' };

  const version = await send('GET', '/v1/version');
  const ready = await send('POST', '/v1/device/ready', {
    ...names,
    agentType: 'Device',
    agentVersion: '1.0.0',
    agentIndex: 1,
    processID: 4321,
  });
  const wanted = await send('GET', `/v1/devicesetting/device/${deviceID}`, undefined, 'setting_name=gain');
  await send('PUT', `/v1/devicesetting/device/${deviceID}`, { settingName: 'gain', settingValue: '9' });
  await send('POST', '/v1/logmessage', {
    ...names,
    agentType: 'Transfer',
    agentVersion: '1.0.0',
    agentIndex: 1,
    processID: 4321,
    message: 'ERROR: the network is slow',
    logDate: new Date().toISOString(),
  });
  const health = { time: { datetime: Date.now() }, battery: { percent: 42.5 }, cpu: { temperature: 51 } };
  await send('POST', '/v1/devicehealth', { ...names, healthJSON: JSON.stringify(health) });
  await send('POST', '/v1/devicehealth/updatelatest', { ...names, healthJSON: JSON.stringify(health) });
  const agent = (await send('POST', '/v1/agent', {
    ...transfer,
    agentVersion: '1.0.0',
    agentIndex: 1,
    processID: 4321,
  })) as Json;

  const clip = (await send('POST', `/v1/audioclip/${serial}`, {
    key: 0,
    fileID: 0,
    tagListID: 0,
    audioClipStatus: 1,
    startTime,
    startTimeMs: 0,
    endTime: 0,
    endTimeMs: 0,
    clipLengthInSeconds: 9.984,
    localFilePath: '/recordings/1.wav',
  })) as Json;

  const waiting = send('POST', '/v1/event/list/pending/longpoll', { deviceName: serial });
  await onIdle();
  const [pending] = (await waiting) as Json[];
  const event = (await send('POST', '/v1/event/dequeue', transfer)) as Json;
  await send('PUT', `/v1/event/${String(event['key'])}`, {
    eventStatus: 3,
    attemptNumber: 1,
    result: null,
    processID: 9_001,
    percentComplete: 0,
    tagString: null,
    tagNumber: null,
  });
  const file = (await send('POST', '/v1/file', {
    deviceName: serial,
    filename: '1.wav',
    fileSize: sound.length,
    sHA256Hash: createHash('sha256').update(sound).digest('hex').toUpperCase(),
  })) as Json;
  const uploaded = await fetch(String(file['fileLocation']), { method: 'PUT', body: sound });
  if (!uploaded.ok) throw new Error(`the upload failed: ${uploaded.status}`);
  await send('POST', `/v1/file/success/${String(file['fileID'])}`);
  await send('PATCH', `/v1/audioclip/${String(clip['key'])}`, [
    { fieldName: 'FileID', value: String(file['fileID']) },
    { fieldName: 'AudioClipStatus', value: '4' },
  ]);
  await send('PATCH', `/v1/event/${String(event['key'])}/progress`, { deviceName: serial, percentComplete: 80 });
  const report = { eventStatus: 4, attemptNumber: 1, result: 'done', processID: 9_001, percentComplete: 100 };
  await send('PUT', `/v1/event/${String(event['key'])}`, report);
  await send('PATCH', `/v1/agent/${String(agent['key'])}`, [{ fieldName: 'recentOutput', value: 'idle' }]);
  return { version, ready, wanted, agent, clip, pending, event, file };
}
