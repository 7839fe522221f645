import type { Container, SoundFile } from './sound.ts';

const demuxers: Readonly<Record<Container, string>> = {
  wav: 'wav',
  flac: 'flac',
  mp3: 'mp3',
  ogg: 'ogg',
  mp4: 'mp4',
  webm: 'matroska',
  adts: 'aac',
};

/** The decoders that may read untrusted files; ffmpeg has hundreds more, and each adds attack surface. */
const decoders = [
  'pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,pcm_alaw,pcm_mulaw,adpcm_ima_wav,adpcm_ms',
  'flac,mp3float,mp3,opus,libopus,vorbis,libvorbis,aac',
].join(',');

const mostBytesAtOnce = 256 * 1024 ** 2;

/** Before every input: only local files and pipes, the recognised format, the known codecs. */
const guards = ['-protocol_whitelist', 'file,pipe', '-codec_whitelist', decoders];

export const quiet = ['-hide_banner', '-loglevel', 'error', '-max_alloc', String(mostBytesAtOnce)];

/** The path always has the prefix `file:`, so that no part of it can be read as a protocol or an option. */
export const probeInput = ({ path, container }: SoundFile): string[] => [
  ...guards,
  '-f',
  demuxers[container],
  '-i',
  `file:${path}`,
];

export const input = (file: SoundFile): string[] => [
  '-nostdin',
  '-threads',
  '1',
  ...probeInput(file),
  // The first audio track and nothing else.
  '-map',
  '0:a:0',
  '-map_metadata',
  '-1',
];
