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

/** What may decode a stranger's bytes; ffmpeg knows hundreds more, and each is one more door. */
const decoders = [
  'pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,pcm_alaw,pcm_mulaw,adpcm_ima_wav,adpcm_ms',
  'flac,mp3float,mp3,opus,libopus,vorbis,libvorbis,aac',
].join(',');

const mostBytesAtOnce = 256 * 1024 ** 2;

/** Before every input: only local files and pipes, the format that we recognised, the codecs that we know. */
const guards = ['-protocol_whitelist', 'file,pipe', '-codec_whitelist', decoders];

export const quiet = ['-hide_banner', '-loglevel', 'error', '-max_alloc', String(mostBytesAtOnce)];

/** The path is always spelt as a file, so that nothing in it can be read as a protocol or an option. */
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
  // The first track of sound, and nothing else that the file may hold.
  '-map',
  '0:a:0',
  '-map_metadata',
  '-1',
];
