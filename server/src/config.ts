import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { Email, Password } from '@earshot/contract/user';
import { createValidator } from '@earshot/contract/validation';
import type { TSchema } from 'typebox';
import type { CaptionConfig } from './features/caption/engine/engines.ts';
import { engineNames, kindOf } from './features/caption/engine/engines.ts';
import type { HeadsPlace } from './features/audit/log/heads-place.ts';
import { readHeadsPlace } from './features/audit/log/heads-place.ts';
import type { MailConfig } from './features/channel/kinds/mail-config.ts';
import { readMail } from './features/channel/kinds/mail-config.ts';
import type { EventTimes } from './features/event/take/lease-queries.ts';
import type { ExportLimits } from './features/join/export-limits.ts';
import { readTarget } from './platform/database/connection-target.ts';
import type { MqttConfig } from './platform/mqtt/mqtt-config.ts';
import { readMqtt } from './platform/mqtt/mqtt-config.ts';
import { isNetworkText } from './platform/network-text.ts';
import { findCaptionFault } from './platform/listening/caption-engine.ts';
import { thirdListenValues } from './platform/listening/third-listen.ts';
import { parseSecretKey } from './platform/secrets/secret-key.ts';
import { storageFault } from './platform/storage/storage.ts';

export const roles = ['all', 'server', 'worker'] as const;
export type NodeRole = (typeof roles)[number];

export interface Config {
  /** What this process does: serve the API, do the platform's own work, or both. */
  readonly role: NodeRole;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL under the data folder. */
  readonly databaseUrl: string | undefined;
  /** Set if `databaseUrl` is a pooler in transaction mode: the database itself, for LISTEN and backups. */
  readonly databaseDirectUrl: string | undefined;
  readonly publicOrigin: string | undefined;
  /** Where files are stored. */
  readonly storage: StorageConfig;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly trustProxy: readonly string[];
  /** Networks that may be called (uploads, postbacks) although they are not public. */
  readonly allowNetworks: readonly string[];
  /** Whether the installation script may be used although the public address is not https. */
  readonly installOverHttp: boolean;
  /** Requests a second for one credential or address; 0 for no limit. */
  readonly rateLimit: number;
  /** Undefined: the key stored in the data folder. */
  readonly secretKey: Buffer | undefined;
  readonly databaseConnections: number;
  /** The folder for a backup of the database before its migrations; undefined: no backup. */
  readonly backupBeforeUpgrade: string | undefined;
  /** How long a stopping node says that it is not ready and serves requests before it refuses them. */
  readonly drainSeconds: number;
  /** With less free space on a disk, its place counts as full. */
  readonly leastFreeBytes: number;
  readonly eventTimes: EventTimes;
  /** How long a long poll waits for an event; clients in the field give up after 62 s, and proxies often after 60 s. */
  readonly longPollSeconds: number;
  /** How long an upload or download may make no progress. */
  readonly bodyIdleSeconds: number;
  readonly fileSweepSeconds: number;
  /** How often a worker looks for clips to measure. */
  readonly measureSeconds: number;
  /** How often the next step of a rollout is decided. */
  readonly rolloutSeconds: number;
  /** What one upload key may use on a day (UTC). */
  readonly uploadKeyLimits: { readonly bytesPerDay: number; readonly transcribedMsPerDay: number };
  /** What one person may have at once in exports of other people's devices. */
  readonly exportLimits: ExportLimits;
  /** How long health reports of devices are kept. */
  readonly healthDays: number;
  /** How long it is known when devices were online and had other settings than wanted. */
  readonly stateDays: number;
  /** How long lines of the logs of devices are kept. */
  readonly logDays: number;
  /** How long postbacks are kept that were delivered or have failed. */
  readonly deliveryDays: number;
  /** How long records of uploads are kept. Bytes of unfinished uploads are removed after a day. */
  readonly uploadDays: number;
  /** How long the log of changes is kept, from which live streams continue. */
  readonly changeHours: number;
  /** How long entries of the audit trail are kept, in whole months. */
  readonly auditDays: number;
  /** Where signed heads of the audit log are sent: a folder, `s3://…` or `https://…`; undefined: nowhere. */
  readonly auditHeads: HeadsPlace | undefined;
  /** How long former sound of clips is kept on devices without retention days. */
  readonly versionDays: number;
  /** After so many days what rules have found is removed; they act on sound that ended at most so many hours before. */
  readonly matchDays: number;
  readonly ruleHours: number;
  /** The mail server of the operator; undefined: no e-mail is sent. */
  readonly mail: MailConfig | undefined;
  /** The MQTT broker of the operator; undefined: nothing is published. */
  readonly mqtt: MqttConfig | undefined;
  /** The engines that transcribe clips. */
  readonly captions: CaptionConfig;
}

export interface StorageConfig {
  /** Empty: a folder under the data folder. */
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** All faults of the settings, a sentence each. */
export class SettingsError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const setting = <Value>(name: string, read: (text: string) => Value | Fault, otherwise: Value): Value => {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return otherwise;
    const value = read(text);
    if (!(value instanceof Fault)) return value;
    faults.push(`${name} ${value.expected}`);
    return otherwise;
  };
  const dataDir = resolve(setting('EARSHOT_DATA_DIR', (text) => text, './data'));
  const config: Config = {
    role: setting('EARSHOT_ROLE', role, 'all'),
    port: setting('EARSHOT_PORT', wholeNumber(0, 65_535), 8080),
    host: setting('EARSHOT_HOST', host, '127.0.0.1'),
    dataDir,
    databaseUrl: setting<string | undefined>('EARSHOT_DATABASE_URL', databaseUrl, undefined),
    databaseDirectUrl: setting<string | undefined>('EARSHOT_DATABASE_DIRECT_URL', databaseUrl, undefined),
    publicOrigin: setting<string | undefined>('EARSHOT_PUBLIC_URL', webOrigin, undefined),
    trustProxy: setting('EARSHOT_TRUST_PROXY', networks, []),
    allowNetworks: setting('EARSHOT_ALLOW_NETWORKS', networks, []),
    installOverHttp: setting('EARSHOT_INSTALL_OVER_HTTP', yesOrNo, false),
    rateLimit: setting('EARSHOT_RATE_LIMIT', wholeNumber(0, 1_000_000), 500),
    secretKey: setting<Buffer | undefined>('EARSHOT_SECRET_KEY', secretKey, undefined),
    databaseConnections: setting('EARSHOT_DATABASE_CONNECTIONS', wholeNumber(2, 500), 20),
    backupBeforeUpgrade: setting<string | undefined>(
      'EARSHOT_BACKUP_BEFORE_UPGRADE',
      folderOrNo,
      join(dataDir, 'backups'),
    ),
    drainSeconds: setting('EARSHOT_DRAIN_SECONDS', wholeNumber(0, 600), 0),
    leastFreeBytes: setting('EARSHOT_LEAST_FREE_MB', wholeNumber(1, 1_000_000), 64) * 1024 ** 2,
    longPollSeconds: 55,
    bodyIdleSeconds: 60,
    fileSweepSeconds: 60,
    measureSeconds: 2,
    rolloutSeconds: 5,
    uploadKeyLimits: {
      bytesPerDay: setting('EARSHOT_UPLOAD_KEY_GB', wholeNumber(1, 1_000_000), 100) * 1024 ** 3,
      transcribedMsPerDay: setting('EARSHOT_UPLOAD_KEY_HOURS', wholeNumber(1, 1_000_000), 24) * 3_600_000,
    },
    exportLimits: {
      most: setting('EARSHOT_EXPORTS', wholeNumber(1, 100_000), 20),
      mostBytes: setting('EARSHOT_EXPORT_GB', wholeNumber(1, 1_000_000), 20) * 1e9,
    },
    healthDays: setting('EARSHOT_HEALTH_DAYS', wholeNumber(1, 36_500), 35),
    stateDays: setting('EARSHOT_STATE_DAYS', wholeNumber(2, 36_500), 35),
    logDays: setting('EARSHOT_LOG_DAYS', wholeNumber(1, 36_500), 30),
    deliveryDays: setting('EARSHOT_DELIVERY_DAYS', wholeNumber(1, 36_500), 30),
    uploadDays: setting('EARSHOT_UPLOAD_DAYS', wholeNumber(2, 365), 2),
    // Each hour is a partition, which every read of the log plans for: at most a week of them.
    changeHours: setting('EARSHOT_CHANGE_HOURS', wholeNumber(1, 168), 24),
    auditDays: setting('EARSHOT_AUDIT_DAYS', wholeNumber(30, 36_500), 365),
    auditHeads: readHeadsPlace(environment, faults),
    versionDays: setting('EARSHOT_VERSION_DAYS', wholeNumber(1, 36_500), 30),
    matchDays: setting('EARSHOT_MATCH_DAYS', wholeNumber(1, 36_500), 365),
    mail: readMail(environment, faults),
    mqtt: readMqtt(environment, faults),
    ruleHours: setting('EARSHOT_RULE_HOURS', wholeNumber(1, 8_760), 6),
    captions: {
      kind: setting('EARSHOT_CAPTION_ENGINE', captionEngine, 'moonshine'),
      url: setting<string | undefined>('EARSHOT_CAPTION_URL', (text) => text, undefined),
      key: setting<string | undefined>('EARSHOT_CAPTION_KEY', (text) => text, undefined),
      model: setting<string | undefined>('EARSHOT_CAPTION_MODEL', (text) => text, undefined),
      atOnce: setting('EARSHOT_CAPTIONS_AT_ONCE', wholeNumber(1, 64), 1),
      modelFolder: resolve(setting('EARSHOT_MODEL_DIR', (text) => text, join(dataDir, 'models'))),
      mayFetchModels: setting('EARSHOT_FETCH_MODELS', yesOrNo, true),
      thirdListen: setting('EARSHOT_THIRD_LISTEN', thirdListen, 'auto'),
    },
    storage: readStorage(environment, faults),
    eventTimes: {
      leaseSeconds: setting('EARSHOT_LEASE_SECONDS', wholeNumber(1, 86_400), 300),
      retrySeconds: setting('EARSHOT_RETRY_SECONDS', wholeNumber(1, 600), 5),
    },
    admin: readAdmin(environment, faults),
  };
  const { kind, url } = config.captions;
  const captionFault = kind === 'none' ? undefined : findCaptionFault({ kind, url });
  if (captionFault !== undefined) faults.push(`EARSHOT_CAPTION_URL is wrong: ${captionFault}`);
  if (config.role === 'worker' && config.databaseUrl === undefined) {
    faults.push('EARSHOT_ROLE worker needs EARSHOT_DATABASE_URL: the embedded PostgreSQL belongs to its server');
  }
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined) {
    faults.push('EARSHOT_DATABASE_DIRECT_URL needs EARSHOT_DATABASE_URL, the address of the pooler');
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return Object.freeze(config);
}

class Fault {
  readonly expected: string;
  constructor(expected: string) {
    this.expected = expected;
  }
}

const role = (text: string) =>
  roles.find((known) => known === text) ?? new Fault(`must be all, server or worker, not "${text}"`);

function captionEngine(text: string) {
  if (text === 'none') return text;
  const name = engineNames.find((known) => known === text);
  return name ? kindOf(name) : new Fault(`must be one of ${engineNames.join(', ')}, none, not "${text}"`);
}

const thirdListen = (text: string) =>
  thirdListenValues.find((known) => known === text) ?? new Fault(`must be auto, on or off, not "${text}"`);

const yesOrNo = (text: string) =>
  text === 'yes' || text === 'no' ? text === 'yes' : new Fault(`must be yes or no, not "${text}"`);

/** Undefined for `no`. */
const folderOrNo = (text: string): string | undefined => (text === 'no' ? undefined : resolve(text));

const wholeNumber = (least: number, most: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? Number(text)
    : new Fault(`must be a whole number from ${least} to ${most}, not "${text}"`);

const host = (text: string) =>
  isIP(text) || /^[A-Za-z0-9.-]+$/.test(text) ? text : new Fault(`must be an address or a host name, not "${text}"`);

/** Never repeats the value: it may hold a password. */
function databaseUrl(text: string): string | Fault {
  try {
    readTarget(text);
    return text;
  } catch (error) {
    return new Fault((error as Error).message);
  }
}

function webOrigin(text: string): string | Fault {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  return isOrigin ? url.origin : new Fault(`must be an http or https URL without a path, not "${text}"`);
}

function networks(text: string): readonly string[] | Fault {
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wrong = list.find((network) => !isNetworkText(network));
  return wrong === undefined ? list : new Fault(`must be a list of networks such as 10.0.0.0/8, not "${wrong}"`);
}

const secretKey = (text: string) =>
  parseSecretKey(text) ?? new Fault('must be 32 bytes in base64, such as `openssl rand -base64 32` prints');

function readStorage(environment: Environment, faults: string[]): StorageConfig {
  const given = (...names: string[]): string => names.map((name) => environment[name]?.trim()).find(Boolean) ?? '';
  const url = given('EARSHOT_STORAGE_URL');
  const keys = {
    accessKey: given('EARSHOT_S3_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'),
    secretKey: given('EARSHOT_S3_SECRET_KEY', 'AWS_SECRET_ACCESS_KEY'),
  };
  const fault = storageFault(url);
  if (fault !== undefined) faults.push(`EARSHOT_STORAGE_URL cannot be used: ${fault}`);
  else if (url.startsWith('s3:') && Object.values(keys).includes('')) {
    faults.push(
      'EARSHOT_STORAGE_URL needs EARSHOT_S3_ACCESS_KEY and EARSHOT_S3_SECRET_KEY, the keys of the object store',
    );
  }
  return { url, ...keys };
}

function readAdmin(environment: Environment, faults: string[]): Config['admin'] {
  const email = environment['EARSHOT_ADMIN_EMAIL']?.trim() ?? '';
  const password = environment['EARSHOT_ADMIN_PASSWORD'] ?? '';
  if (email === '' && password === '') return undefined;
  const validator = createValidator();
  const check = (name: string, schema: TSchema, value: string) => {
    for (const { message } of validator.compile(schema)(value) ?? []) faults.push(`${name} ${message}`);
  };
  check('EARSHOT_ADMIN_EMAIL', Email, email);
  check('EARSHOT_ADMIN_PASSWORD', Password, password);
  return { email, password };
}
