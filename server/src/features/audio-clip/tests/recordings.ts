import type { Client } from '@earshot/client/client';
import type { AnnouncedClip, AudioClip } from '@earshot/contract/audio-clip';
import type { Device } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';

export type KeyedClip = AudioClip & { key: number };

export async function announce(client: Client, { deviceSerial }: Device, body: AnnouncedClip): Promise<KeyedClip> {
  const clip = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
  return { ...clip, key: clip.key ?? 0 };
}

export const announceAll = (client: Client, { deviceSerial }: Device, body: AnnouncedClip[]): Promise<AudioClip[]> =>
  client.announceAudioClips({ params: { deviceSerial }, body });

export const readClip = (client: Client, { key }: { key: number }): Promise<AudioClip> =>
  client.getAudioClip({ params: { audioClipID: key } });

/** A file of real sound, of the device or the caller's own; available unless the test wants it pending. */
export async function addFile(
  client: Client,
  { device, seconds = 0.5, isWaiting = false }: { device?: Device; seconds?: number; isWaiting?: boolean } = {},
): Promise<{ key: number; fileSize: number }> {
  const bytes = tinyWav(seconds);
  const file = await client.createFile({
    body: {
      filename: 'dawn.wav',
      fileSize: bytes.length,
      sHA256Hash: sha256(bytes),
      ...(device ? { deviceSerial: device.deviceSerial } : {}),
    },
  });
  const key = file.key ?? 0;
  if (!isWaiting) {
    await fetch(file.signedURL ?? '', { method: 'PUT', body: bytes });
    await client.finishFile({ params: { fileID: key } });
  }
  return { key, fileSize: bytes.length };
}
