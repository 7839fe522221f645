import { patchAudioClip } from '@earshot/contract/audio-clip';
import { createFile, finishFile } from '@earshot/contract/file';
import { clipIdHeader, createUpload, tusVersion, uploadContentType } from '@earshot/contract/upload';
import type { DeviceCall } from './call.ts';
import { countRequest } from './call.ts';
import type { SimulatedClip } from './device.ts';
import type { MadeSound } from './sound.ts';
import type { Tally } from './tally.ts';
import type { Wire } from './wire.ts';

interface UploadParts {
  readonly serial: string;
  readonly call: DeviceCall;
  readonly wire: Wire;
  readonly tally: Tally;
  readonly makeSound: () => MadeSound;
}

/** As this project's agent uploads: by tus, here in one request. */
export async function uploadByTus({ serial, call, makeSound }: UploadParts, clip: SimulatedClip): Promise<void> {
  const { bytes, sha256 } = (clip.sound ??= makeSound());
  const metadata = {
    deviceSerial: serial,
    startDate: new Date(clip.startMs).toISOString(),
    filename: `${clip.startMs}.wav`,
    sha256,
  };
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
  const headers = {
    'tus-resumable': tusVersion,
    'upload-length': String(bytes.length),
    'upload-metadata': pairs.join(','),
    'content-type': uploadContentType,
  };
  let clipID = '';
  await call(
    createUpload,
    { headers, body: bytes },
    {
      name: 'upload (tus)',
      onHeaders: (answered) => (clipID = String(answered[clipIdHeader.toLowerCase()] ?? '')),
    },
  );
  if (clipID !== String(clip.clipID)) throw new Error(`the upload of clip ${clip.clipID} became clip ${clipID}`);
  clip.sound = undefined;
  clip.uploadedHash = sha256;
}

/** As the programs of the published API upload: a file, its bytes to a signed address, then the clip is patched. */
export async function uploadByFile(
  { serial, call, wire, tally, makeSound }: UploadParts,
  clip: SimulatedClip,
): Promise<void> {
  const { bytes, sha256 } = (clip.sound ??= makeSound());
  const created = await call(
    createFile,
    {
      body: { deviceSerial: serial, filename: `${clip.startMs}.wav`, fileSize: bytes.length, sHA256Hash: sha256 },
    },
    { name: 'create file' },
  );
  const { key: fileID = 0, signedURL = '' } = created;
  await countRequest(tally, 'upload (file)', undefined, () =>
    wire.send({ method: 'PUT', target: signedURL, body: bytes }),
  );
  await call(finishFile, { params: { fileID } }, { name: 'file success' });
  const audioClipID = clip.clipID ?? 0;
  await call(
    patchAudioClip,
    { params: { audioClipID }, body: [{ fieldName: 'fileID', value: fileID }] },
    {
      name: 'patch clip',
    },
  );
  clip.sound = undefined;
  clip.uploadedHash = sha256;
}
