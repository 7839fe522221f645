/** How a computer sends recordings with the key of one device: shown in the console. */

export interface DeviceTarget {
  /** The address of this server, without a slash at the end. */
  readonly origin: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface DeviceGuide {
  readonly id: 'linux' | 'curl';
  readonly name: string;
  /** Markdown. */
  readonly steps: string;
  readonly command: string;
}

/** Uploads the file `$name` (tus 1.0.0, in one request). */
const sendFile = ({ origin, accessKey, secretKey }: DeviceTarget): string =>
  [
    `curl -fsS -u '${accessKey}:${secretKey}' ${origin}/v1/upload`,
    `-H 'Tus-Resumable: 1.0.0'`,
    `-H "Upload-Length: $(wc -c < "$name" | tr -d ' ')"`,
    `-H "Upload-Metadata: filename $(printf %s "$name" | base64 | tr -d '\\n')"`,
    `-H 'Content-Type: application/offset+octet-stream'`,
    `--data-binary "@$name"`,
  ].join(' \\\n    ');

export const deviceGuides = (target: DeviceTarget): readonly DeviceGuide[] => [
  {
    id: 'linux',
    name: 'Linux',
    steps:
      'On a computer with a microphone, `alsa-utils` and `curl`: this records a minute at a time and sends each ' +
      'minute. The name of a file is its start in UTC. A minute that could not be sent stays in the folder.',
    command: [
      'name=$(date -u +%Y%m%d_%H%M%S).wav',
      'while arecord -q -f S16_LE -r 16000 -c 1 -d 60 "$name"; do',
      `  ${sendFile(target)} && rm "$name"`,
      '  name=$(date -u +%Y%m%d_%H%M%S).wav',
      'done',
    ].join('\n'),
  },
  {
    id: 'curl',
    name: 'curl',
    steps:
      'Sends one file. Its start is read from the file or its name; a name such as `20261116_063000.wav` is a time in ' +
      'UTC.',
    command: ['name=recording.wav', sendFile(target).replaceAll('\n    ', '\n  ')].join('\n'),
  },
];
