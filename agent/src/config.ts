import { isAbsolute } from 'node:path';
import { isNetwork } from './join/upload-address.ts';
import { defaultConfirmSeconds } from './update/versions.ts';

/** Where recordings come from. */
export type Source = FolderSource | CaptureSource;

/** A folder that another recorder fills. */
export interface FolderSource {
  readonly kind: 'folder';
  readonly path: string;
  /** A file that has not changed for this time may be complete. */
  readonly settleSeconds: number;
  /** A file whose container does not say that it is complete is taken after this time without growth. */
  readonly unfinishedMinutes: number;
  /** Whether files are removed after their upload. */
  readonly removeUploaded: boolean;
}

/** Sound that this agent records itself, with ffmpeg. */
export interface CaptureSource {
  readonly kind: 'capture';
  /** The options of ffmpeg that select its input. */
  readonly input: readonly string[];
  readonly clipSeconds: number;
  /** `voice`: only while somebody speaks. */
  readonly when: 'always' | 'voice';
}

/** What the platform may change on the device. */
export interface AgentSettings {
  /** Whether sound is uploaded when the platform asks for it, or at once. */
  readonly upload: 'requested' | 'atOnce';
  /** 0 is no limit. */
  readonly uploadKilobytesPerSecond: number;
  /** Of the recordings that this agent made itself. */
  readonly diskBudgetMB: number;
}

export interface AgentConfig extends AgentSettings {
  readonly server: string;
  readonly deviceSerial: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** For the journal and the recordings of this agent. */
  readonly folder: string;
  readonly sources: readonly Source[];
  /** Events that change the system, which are refused unless they are listed here. */
  readonly allow: readonly SystemEvent[];
  /**
   * Networks that joined sound may be sent to although they are not public. Undefined in a configuration of before this
   * setting.
   */
  readonly allowNetworks: readonly string[] | undefined;
  /** A new version that has not reached the platform after this time is replaced by the former one. */
  readonly updateConfirmSeconds: number;
}

const systemEvents = ['Update_software', 'Reboot', 'End_process', 'Restart_agents'] as const;
export type SystemEvent = (typeof systemEvents)[number];

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Throws a ConfigError if others than the owner of the file may read or change it. */
export function requirePrivate(mode: number, path: string): void {
  if ((mode & 0o077) === 0) return;
  const found = (mode & 0o777).toString(8).padStart(4, '0');
  throw new ConfigError(
    `The file contains the secret key, and its mode ${found} lets other users read or change it. Run: chmod 600 ${path}`,
  );
}

/** Throws a ConfigError with a line for each fault; no line repeats a secret. */
export function parseConfig(text: string): AgentConfig {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`The configuration is not JSON: ${(error as Error).message}.`);
  }
  if (!isObject(given)) throw new ConfigError('The configuration must be a JSON object.');
  const faults: string[] = [];
  const config = readConfig(createReader(given, '', faults));
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}

function readConfig(read: Reader): AgentConfig {
  const config: AgentConfig = {
    server: read.text(
      'server',
      isServerUrl,
      'must be the address of the platform, such as https://earshot.example.org',
    ),
    deviceSerial: read.text('deviceSerial', isShort, 'must be the serial of this device'),
    accessKey: read.text('accessKey', isShort, 'must be the access key of this device'),
    secretKey: read.text('secretKey', isShort, 'must be the secret key of this device'),
    folder: read.text('folder', isAbsolute, 'must be an absolute path', '/var/lib/earshot-agent'),
    sources: read.list('sources', (each) => each.object(readSource)),
    ...readSettings(read),
    allow: read.list('allow', (each) => each.item(systemEvents)),
    allowNetworks: read.isGiven('allowNetworks')
      ? read.list('allowNetworks', (each) => each.value(isNetwork, 'must be a network such as 10.0.0.0/8'))
      : undefined,
    updateConfirmSeconds: read.number('updateConfirmSeconds', 1, 3_600, defaultConfirmSeconds),
  };
  read.end();
  return config;
}

const readSettings = (read: Reader): AgentSettings => ({
  upload: read.choice('upload', ['requested', 'atOnce'], 'requested'),
  uploadKilobytesPerSecond: read.number('uploadKilobytesPerSecond', 0, 1_000_000, 0),
  diskBudgetMB: read.number('diskBudgetMB', 10, 100_000_000, 2_048),
});

/** Throws a ConfigError if a name is not a setting, or its value is not valid. */
export function parseSettings(given: Readonly<Record<string, unknown>>): AgentSettings {
  const faults: string[] = [];
  const reader = createReader(given, '', faults);
  const settings = readSettings(reader);
  reader.end();
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return settings;
}

const sourceKinds = ['folder', 'soundCard', 'stream'] as const;

function readSource(read: Reader): Source {
  const kind = read.choice('kind', sourceKinds) as (typeof sourceKinds)[number] | undefined;
  if (kind === 'folder') {
    const source: FolderSource = {
      kind,
      path: read.text('path', isAbsolute, 'must be an absolute path'),
      settleSeconds: read.number('settleSeconds', 0, 3_600, 5),
      unfinishedMinutes: read.number('unfinishedMinutes', 0, 1_440, 10),
      removeUploaded: read.flag('removeUploaded', false),
    };
    read.end();
    return source;
  }
  if (kind === undefined) return undefined as never;
  const input =
    kind === 'soundCard'
      ? soundCardInput(read)
      : streamInput(read.text('url', isStreamUrl, 'must begin with rtsp://, http:// or https://') ?? '');
  const source: CaptureSource = {
    kind: 'capture',
    input,
    clipSeconds: read.number('clipSeconds', 1, 3_600, 60),
    when: read.choice('when', ['always', 'voice'], 'always'),
  };
  read.end();
  return source;
}

/** 0 leaves the choice to the sound card. */
function soundCardInput(read: Reader): string[] {
  const device = read.text('device', isShort, 'must be the name of an ALSA device', 'default');
  const rate = read.number('sampleRate', 0, 384_000, 0);
  const channels = read.number('channels', 0, 32, 0);
  const shape = [
    ...(rate > 0 ? ['-sample_rate', String(rate)] : []),
    ...(channels > 0 ? ['-channels', String(channels)] : []),
  ];
  return ['-f', 'alsa', ...shape, '-i', device];
}

/** A second is enough to find out what a stream contains; by default ffmpeg takes five, whose sound comes late. */
const quickStart = ['-analyzeduration', '1000000'];

const streamInput = (url: string): string[] =>
  /^rtsps?:/.test(url) ? ['-rtsp_transport', 'tcp', ...quickStart, '-i', url] : [...quickStart, '-i', url];

const isShort = (text: string): boolean => text !== '' && text.length <= 255;
const isStreamUrl = (text: string): boolean => URL.canParse(text) && /^(rtsps?|https?):\/\//.test(text);
const isServerUrl = (text: string): boolean => {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return false;
  const { pathname, username, password, search } = new URL(text);
  return pathname === '/' && username === '' && password === '' && search === '';
};

/** Reads the fields of an object and collects the faults. */
interface Reader {
  text(name: string, isValid: (text: string) => boolean, rule: string, missing?: string): string;
  number(name: string, least: number, most: number, missing: number): number;
  flag(name: string, missing: boolean): boolean;
  choice<Choice extends string>(name: string, choices: readonly Choice[], missing?: Choice): Choice;
  list<Item>(name: string, readItem: (read: Reader) => Item): Item[];
  /** The value itself, if it is an object. */
  object<Value>(readFields: (read: Reader) => Value): Value;
  /** The value itself, if it is one of the choices. */
  item<Choice extends string>(choices: readonly Choice[]): Choice;
  /** The value itself, if it is a valid text. */
  value(isValid: (text: string) => boolean, rule: string): string;
  isGiven(name: string): boolean;
  /** Reports fields that nothing has read. */
  end(): void;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value with a fault is read as undefined; the faults prevent that the configuration is used. */
function createReader(given: unknown, path: string, faults: string[]): Reader {
  const fields = new Map(isObject(given) ? Object.entries(given) : []);
  const known = new Set<string>();
  const fault = (name: string, rule: string): void => void faults.push(`${path}${name}: ${rule}`);
  const take = <Value>(
    name: string,
    missing: Value | undefined,
    parse: (value: unknown) => Value | undefined,
    rule: string,
  ): Value => {
    known.add(name);
    const value = fields.get(name);
    const parsed = value === undefined ? missing : parse(value);
    if (parsed === undefined) fault(name, value === undefined ? `is missing; it ${rule}` : rule);
    return parsed as Value;
  };
  const reader: Reader = {
    object: (readFields) => {
      if (isObject(given)) return readFields(reader);
      faults.push(`${path.slice(0, -1)}: must be an object`);
      return undefined as never;
    },
    text: (name, isValid, rule, missing) =>
      take(name, missing, (value) => (typeof value === 'string' && isValid(value) ? value : undefined), rule),
    number: (name, least, most, missing) =>
      take(
        name,
        missing,
        (value) => (typeof value === 'number' && value >= least && value <= most ? value : undefined),
        `must be a number from ${least} to ${most}`,
      ),
    flag: (name, missing) =>
      take(name, missing, (value) => (typeof value === 'boolean' ? value : undefined), 'must be true or false'),
    choice: (name, choices, missing) =>
      take(name, missing, (value) => choices.find((each) => each === value), `must be ${choices.join(' or ')}`),
    list: (name, readItem) => {
      const list = take<unknown[]>(name, [], (value) => (Array.isArray(value) ? value : undefined), 'must be a list');
      return (list ?? []).map((item, at) => readItem(createReader(item, `${path}${name}[${at}].`, faults)));
    },
    item: (choices) => {
      const found = choices.find((each) => each === given);
      if (found === undefined) faults.push(`${path.slice(0, -1)}: must be one of ${choices.join(', ')}`);
      return found!;
    },
    value: (isValid, rule) => {
      if (typeof given === 'string' && isValid(given)) return given;
      faults.push(`${path.slice(0, -1)}: ${rule}`);
      return undefined as never;
    },
    isGiven: (name) => fields.has(name),
    end: () => {
      for (const name of fields.keys()) if (!known.has(name)) fault(name, 'is not a setting');
    },
  };
  return reader;
}
