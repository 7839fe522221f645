/** How recorders of other projects are configured to upload here: shown in the console and on the API page. */

export interface RecorderTarget {
  /** The address of this server, without a slash at the end. */
  readonly origin: string;
  /** The secret of an upload key. */
  readonly secret: string;
}

interface Configuration {
  readonly label: string;
  readonly text: string;
  /** Text of several lines that keeps its line breaks. */
  readonly isBlock?: boolean;
}

export interface RecorderGuide {
  readonly id: string;
  readonly name: string;
  /** Where the values belong. Markdown. */
  readonly steps: string;
  readonly configurations: readonly Configuration[];
  /** What else to know. Markdown. */
  readonly note?: string;
}

export const recorderIntroduction =
  'Recorders upload with an upload key, which you create in the console under "Upload keys". Each radio system of a ' +
  'key becomes a device when its first call arrives.';

const shortName = 'county';
const systemID = 1;

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

export const recorderGuides = ({ origin, secret }: RecorderTarget): readonly RecorderGuide[] => [
  {
    id: 'trunk-recorder',
    name: 'trunk-recorder',
    steps:
      'Add this to the list `plugins` in `config.json`, with one entry in `systems` for each of your systems. ' +
      '`shortName` is the short name of the system in the same file; `systemId` is a number of your choice. ' +
      'Then restart trunk-recorder.',
    configurations: [
      {
        label: 'Entry of plugins',
        text: asJson({
          name: 'rdioscanner_uploader',
          library: 'librdioscanner_uploader.so',
          server: origin,
          systems: [{ shortName, systemId: systemID, apiKey: secret }],
        }),
        isBlock: true,
      },
    ],
    note:
      'trunk-recorder sends no site, and the time in whole seconds. So two sites of one system need two upload keys, ' +
      'or two values of `systemId`: otherwise calls of one talkgroup in the same second are taken for one call.',
  },
  {
    id: 'sdrtrunk',
    name: 'SDRTrunk',
    steps:
      'In the playlist editor, open Streaming and create a stream of the type Rdio Scanner with these values. ' +
      'Then assign the stream to the aliases whose calls you want to upload.',
    configurations: [
      { label: 'RdioScanner URL', text: `${origin}/api/call-upload` },
      { label: 'API Key', text: secret },
      { label: 'System ID', text: String(systemID) },
    ],
    note: 'The system ID is a number of your choice, from 1. Each system ID becomes a device.',
  },
  {
    id: 'rdio-scanner',
    name: 'rdio-scanner',
    steps:
      'In the administration of rdio-scanner, open Config, then Downstreams, and add a downstream with these values. ' +
      'Choose the systems and talkgroups that it forwards, and save.',
    configurations: [
      { label: 'URL', text: origin },
      { label: 'API key', text: secret },
    ],
  },
  {
    id: 'openmhz',
    name: 'OpenMHz uploads',
    steps:
      'For trunk-recorder without the plugin above: set `uploadServer` and the `apiKey` of each system in ' +
      '`config.json`, and keep the other values. Each `shortName` becomes a device.',
    configurations: [
      {
        label: 'Values in config.json',
        text: asJson({ uploadServer: `${origin}/openmhz`, systems: [{ shortName, apiKey: secret }] }),
        isBlock: true,
      },
    ],
    note: 'A program that asks for the address of an OpenMHz server gets the same one.',
  },
  {
    id: 'curl',
    name: 'curl',
    steps: 'To try the key, or to upload from a script of your own: send a sound file as a call.',
    configurations: [
      {
        label: 'Command',
        text: [
          `curl ${origin}/api/call-upload`,
          `-F 'key=${secret}'`,
          `-F 'system=${systemID}'`,
          `-F 'talkgroup=4521'`,
          `-F 'talkgroupLabel=FIRE DISP'`,
          `-F "dateTime=$(date +%s)"`,
          `-F 'audio=@call.wav'`,
        ].join(' \\\n  '),
        isBlock: true,
      },
    ],
  },
];
