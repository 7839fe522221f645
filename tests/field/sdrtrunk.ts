import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/*
 * Requests of SDRTrunk, byte for byte, from its source: DSheirer/sdrtrunk, commit 80360029 (newest read) and 2ecdaba
 * (first version with OpenMHz), packages `audio.broadcast.openmhz` and `audio.broadcast.rdioscanner`.
 */

export const sdrTrunkBoundary = '--sdrtrunk-sdrtrunk-sdrtrunk';

export interface SdrTrunkForm {
  /** In the order of the calls of `addPart`. */
  readonly fields: readonly (readonly [name: string, value: string | number])[];
  /** The head of the file part, which follows all other parts, and its bytes. */
  readonly file?: { readonly head: string; readonly bytes: Uint8Array };
}

export const openMhzFileHead = 'Content-Disposition: form-data; name="call"; filename="audio.mp3"\r\n\r\n';
export const openMhzFileHeadOf2023 =
  'Content-Disposition: form-data; name="call"; filename="test.m4a"\r\nContent-Type: application/octet-stream\r\n\r\n';
export const rdioFileHead = (name: string) =>
  `Content-Disposition: form-data; filename="${name}"; name="audio"\r\n\r\n`;

/** As both of its builders write a body: an empty line precedes the last boundary even if there is no file. */
export function sdrTrunkBody({ fields, file }: SdrTrunkForm): Buffer {
  const parts = fields.map(
    ([name, value]) => `--${sdrTrunkBoundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = file ? `--${sdrTrunkBoundary}\r\n${file.head}` : '';
  return Buffer.concat([
    Buffer.from(parts.join('') + head),
    file?.bytes ?? Buffer.alloc(0),
    Buffer.from(`\r\n--${sdrTrunkBoundary}--\r\n`),
  ]);
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends exactly these headers and bytes. Unlike `fetch`, it sends the path as it is. */
export function sendRaw(
  address: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: Uint8Array,
): Promise<RawAnswer> {
  const [, origin = '', path = '/'] = /^(http:\/\/[^/]+)(\/.*)$/.exec(address) ?? [];
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: hostname, port, path, method: 'POST', headers: { ...headers, 'content-length': String(body.length) } },
      (response) => {
        buffer(response).then((text) => resolve({ status: response.statusCode ?? 0, text: text.toString() }), reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Java's client offers HTTP/2 (h2c) with its requests for uploads; its tests of a connection use HTTP/1.1. */
const offersHttp2 = {
  connection: 'Upgrade, HTTP2-Settings',
  upgrade: 'h2c',
  'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
};

const formType = `multipart/form-data; boundary=${sdrTrunkBoundary}`;

export const sendSdrTrunkForm = (address: string, form: SdrTrunkForm): Promise<RawAnswer> =>
  sendRaw(address, { ...offersHttp2, 'content-type': formType, 'user-agent': 'sdrtrunk' }, sdrTrunkBody(form));

/** `OpenMHzBroadcaster.testConnection` (since 45c8bb73): the key is not percent-encoded. Any status but 200: no call. */
export async function testOpenMhzConnection(host: string, system: string, apiKey: string): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'sdrtrunk' };
  const { status } = await sendRaw(`${host}/${system}/authorize`, headers, Buffer.from(`api_key=${apiKey}`));
  if (status === 200) return 'OK';
  if (status === 403) return 'Invalid API Key';
  return status === 500 ? 'Invalid System Name' : 'No Response';
}

/** `OpenMHzBroadcaster.connected` of 2ecdaba: the host is the whole address of the upload. */
export async function isConnectedIn2023(host: string, apiKey: string): Promise<boolean> {
  const headers = { 'content-type': formType, 'user-agent': 'sdrtrunk', accept: '*/*' };
  const { text } = await sendRaw(host, headers, sdrTrunkBody({ fields: [['api_key', apiKey]] }));
  return text.toLowerCase().startsWith('incomplete call data: no talkgroup');
}
