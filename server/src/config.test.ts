import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, SettingsError } from './config.ts';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).faults;
  }
  return [];
}

const key = Buffer.alloc(32, 7);

describe('defaults', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    publicOrigin: undefined,
    admin: undefined,
    trustProxy: [],
    rateLimit: 500,
    longPollSeconds: 55,
    uploadKeyLimits: { bytesPerDay: 100 * 1024 ** 3, transcribedMsPerDay: 24 * 3_600_000 },
    exportLimits: { most: 20, mostBytes: 20e9 },
    secretKey: undefined,
    databaseConnections: 20,
    databaseDirectUrl: undefined,
    drainSeconds: 0,
    healthDays: 35,
    stateDays: 35,
    logDays: 30,
    deliveryDays: 30,
    uploadDays: 2,
    changeHours: 24,
    auditDays: 365,
    versionDays: 30,
    matchDays: 365,
    storage: { url: '', accessKey: '', secretKey: '' },
  };

  test('hold when nothing is set, and when everything is empty', () => {
    expect(readConfig({})).toMatchObject(defaults);
    const names = [
      'PORT',
      'HOST',
      'DATA_DIR',
      'DATABASE_URL',
      'PUBLIC_URL',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'TRUST_PROXY',
    ];
    const more = ['RATE_LIMIT', 'SECRET_KEY', 'DATABASE_CONNECTIONS', 'STORAGE_URL', 'S3_ACCESS_KEY'];
    for (const empty of ['', '  ']) {
      const environment = Object.fromEntries([...names, ...more].map((name) => [`EARSHOT_${name}`, empty]));
      if (empty !== '') delete environment['EARSHOT_ADMIN_PASSWORD'];
      expect(readConfig(environment)).toMatchObject(defaults);
    }
  });

  test('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  test('other variables are nobody’s business', () => {
    expect(readConfig({ PORT: '1', DATABASE_URL: 'x', HOME: '/' })).toMatchObject(defaults);
  });
});

const good: readonly (readonly [name: string, text: string, config: object])[] = [
  ['EARSHOT_PORT', '0', { port: 0 }],
  ['EARSHOT_PORT', ' 65535 ', { port: 65_535 }],
  ['EARSHOT_HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['EARSHOT_HOST', '::1', { host: '::1' }],
  ['EARSHOT_HOST', 'recorder.local', { host: 'recorder.local' }],
  ['EARSHOT_DATA_DIR', '/var/lib/earshot', { dataDir: '/var/lib/earshot' }],
  ['EARSHOT_DATA_DIR', 'there', { dataDir: resolve('there') }],
  ['EARSHOT_DATABASE_URL', 'postgres://a:b@c/d', { databaseUrl: 'postgres://a:b@c/d' }],
  ['EARSHOT_DATABASE_URL', 'postgresql://c/d?host=/run', { databaseUrl: 'postgresql://c/d?host=/run' }],
  ['EARSHOT_PUBLIC_URL', 'https://ear.example.org', { publicOrigin: 'https://ear.example.org' }],
  ['EARSHOT_PUBLIC_URL', 'http://ear.example.org:8080/', { publicOrigin: 'http://ear.example.org:8080' }],
  ['EARSHOT_TRUST_PROXY', '10.0.0.0/8, 192.0.2.1 ,fd00::/8', { trustProxy: ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'] }],
  ['EARSHOT_RATE_LIMIT', '0', { rateLimit: 0 }],
  ['EARSHOT_EXPORTS', '3', { exportLimits: { most: 3, mostBytes: 20e9 } }],
  ['EARSHOT_EXPORT_GB', '1', { exportLimits: { most: 20, mostBytes: 1e9 } }],
  ['EARSHOT_UPLOAD_KEY_GB', '1', { uploadKeyLimits: { bytesPerDay: 1024 ** 3, transcribedMsPerDay: 86_400_000 } }],
  ['EARSHOT_RATE_LIMIT', '1000000', { rateLimit: 1_000_000 }],
  ['EARSHOT_SECRET_KEY', key.toString('base64'), { secretKey: key }],
  ['EARSHOT_SECRET_KEY', key.toString('base64url'), { secretKey: key }],
  ['EARSHOT_DATABASE_CONNECTIONS', '2', { databaseConnections: 2 }],
  ['EARSHOT_DRAIN_SECONDS', '600', { drainSeconds: 600 }],
  ['EARSHOT_LEAST_FREE_MB', '1', { leastFreeBytes: 1_048_576 }],
  ['EARSHOT_HEALTH_DAYS', '1', { healthDays: 1 }],
  ['EARSHOT_STATE_DAYS', '2', { stateDays: 2 }],
  ['EARSHOT_LOG_DAYS', '36500', { logDays: 36_500 }],
  ['EARSHOT_AUDIT_DAYS', '30', { auditDays: 30 }],
  ['EARSHOT_VERSION_DAYS', '7', { versionDays: 7 }],
  ['EARSHOT_MATCH_DAYS', '7', { matchDays: 7 }],
  ['EARSHOT_DELIVERY_DAYS', '7', { deliveryDays: 7 }],
  ['EARSHOT_UPLOAD_DAYS', '14', { uploadDays: 14 }],
  ['EARSHOT_CHANGE_HOURS', '168', { changeHours: 168 }],
  ['EARSHOT_CAPTION_ENGINE', 'none', { captions: { kind: 'none' } }],
  ['EARSHOT_CAPTION_ENGINE', 'whisper', { captions: { kind: 'whisper', modelFolder: resolve('./data/models') } }],
  ['EARSHOT_CAPTION_ENGINE', 'fast', { captions: { kind: 'moonshine' } }],
  ['EARSHOT_CAPTION_ENGINE', 'accurate', { captions: { kind: 'whisper' } }],
  ['EARSHOT_CAPTIONS_AT_ONCE', '4', { captions: { atOnce: 4 } }],
  ['EARSHOT_MODEL_DIR', '/srv/models', { captions: { modelFolder: '/srv/models' } }],
  ['EARSHOT_THIRD_LISTEN', 'on', { captions: { thirdListen: 'on' } }],
  ['EARSHOT_THIRD_LISTEN', 'off', { captions: { thirdListen: 'off' } }],
  ['EARSHOT_FETCH_MODELS', 'no', { captions: { mayFetchModels: false } }],
];

test.each(good)('%s may be %j', (name, text, config) => {
  expect(readConfig({ [name]: text })).toMatchObject(config);
});

const bad: Readonly<Record<string, readonly string[]>> = {
  EARSHOT_PORT: ['x', '80a', '-1', '65536', '80.5', '8e3', '0x50', '99999999999', '80 80'],
  EARSHOT_HOST: ['a b', 'not a host', 'http://x', 'x:80', 'é'],
  EARSHOT_DATABASE_URL: ['x', '/var/run', 'mysql://a:secret@b/c', 'localhost:5432', 'http://a:secret@b'],
  EARSHOT_PUBLIC_URL: [
    'ear.example.org',
    'ftp://x',
    'https://example.org/earshot',
    'https://x/path',
    'https://x?y',
    'https://x#y',
    'x',
  ],
  EARSHOT_TRUST_PROXY: ['x', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8/8', '::1/129', '10.0.0.0/x', '10.0.0.1,nonsense'],
  EARSHOT_RATE_LIMIT: ['-1', 'x', '1.5', '1000001'],
  EARSHOT_SECRET_KEY: [
    'short',
    'c2hvcnQ=',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    `${key.toString('base64')} x`,
  ],
  EARSHOT_CAPTION_ENGINE: ['engines', 'Whisper'],
  EARSHOT_CAPTIONS_AT_ONCE: ['0', '65', 'all'],
  EARSHOT_THIRD_LISTEN: ['yes', 'ON'],
  EARSHOT_FETCH_MODELS: ['maybe', 'true'],
  EARSHOT_DATABASE_CONNECTIONS: ['0', '1', '501', 'many'],
  EARSHOT_LEAST_FREE_MB: ['0', '-1', '1.5', '64MB'],
  EARSHOT_HEALTH_DAYS: ['0', '-1', '36501', '30d'],
  EARSHOT_STATE_DAYS: ['1', '36501', '35d'],
  EARSHOT_LOG_DAYS: ['0', '1.5', 'never'],
  EARSHOT_DELIVERY_DAYS: ['0', 'never'],
  EARSHOT_CHANGE_HOURS: ['0', '169', '1d'],
  EARSHOT_UPLOAD_DAYS: ['1', '366'],
  EARSHOT_AUDIT_DAYS: ['0', '29', 'never'],
  EARSHOT_VERSION_DAYS: ['0', '-1', 'never'],
  EARSHOT_MATCH_DAYS: ['0', '-1', 'never'],
};

describe.each(Object.entries(bad))('%s', (name, texts) => {
  test.each(texts)('may not be %j: one line says so', (text) => {
    const faults = faultsOf({ [name]: text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} must be [^\\n]+$`));
  });
});

test('an engine that is a server needs its address; its key is repeated nowhere', () => {
  const given = { EARSHOT_CAPTION_ENGINE: 'openai', EARSHOT_CAPTION_KEY: 'hunter2' };
  for (const address of ['', 'nowhere', 'ftp://x', 'https://me:hunter2@x']) {
    const faults = faultsOf({ ...given, EARSHOT_CAPTION_URL: address });
    expect(faults).toEqual([expect.stringMatching(/^EARSHOT_CAPTION_URL is wrong: /)]);
    expect(faults.join()).not.toContain('hunter2');
  }
  const { captions } = readConfig({
    ...given,
    EARSHOT_CAPTION_URL: 'https://speech.example.org',
    EARSHOT_CAPTION_MODEL: 'm',
  });
  expect(captions).toMatchObject({ kind: 'openai', url: 'https://speech.example.org', key: 'hunter2', model: 'm' });
});

describe('the store of files', () => {
  const keys = { EARSHOT_S3_ACCESS_KEY: 'me', EARSHOT_S3_SECRET_KEY: 'hunter2' };

  test.each(['s3://bucket', 's3://bucket/prefix?endpoint=https://store.example:9000&region=eu-1', 'file:///srv/files'])(
    'may be %s',
    (url) => {
      expect(readConfig({ EARSHOT_STORAGE_URL: url, ...keys }).storage).toEqual({
        url,
        accessKey: 'me',
        secretKey: 'hunter2',
      });
    },
  );

  test('takes the usual names for its keys too, and ours first', () => {
    const usual = { AWS_ACCESS_KEY_ID: 'you', AWS_SECRET_ACCESS_KEY: 'secret' };
    const url = { EARSHOT_STORAGE_URL: 's3://bucket' };
    expect(readConfig({ ...url, ...usual }).storage).toMatchObject({ accessKey: 'you', secretKey: 'secret' });
    expect(readConfig({ ...url, ...usual, ...keys }).storage).toMatchObject({ accessKey: 'me', secretKey: 'hunter2' });
  });

  test.each([
    'bucket',
    'https://bucket',
    'https://example.org/files',
    's3://',
    's3://a:hunter2@bucket',
    's3://bucket?size=5',
    'file://host/x',
    'file:x',
  ])('may not be %j: one line says so, and repeats nothing', (url) => {
    const [fault, ...others] = faultsOf({ EARSHOT_STORAGE_URL: url, ...keys });
    expect(others).toEqual([]);
    expect(fault).toMatch(/^EARSHOT_STORAGE_URL cannot be used: [^\n]+$/);
    expect(fault).not.toContain('hunter2');
  });

  test('needs keys when it is an object store', () => {
    const faults = [
      'EARSHOT_STORAGE_URL needs EARSHOT_S3_ACCESS_KEY and EARSHOT_S3_SECRET_KEY, the keys of the object store',
    ];
    expect(faultsOf({ EARSHOT_STORAGE_URL: 's3://bucket' })).toEqual(faults);
    expect(faultsOf({ EARSHOT_STORAGE_URL: 's3://bucket', EARSHOT_S3_ACCESS_KEY: 'me' })).toEqual(faults);
    expect(faultsOf({ EARSHOT_STORAGE_URL: 'file:///srv/files' })).toEqual([]);
  });
});

describe('the admin', () => {
  const email = 'ada@example.org';
  const password = 'long enough to do';

  test('is given by both, the password exactly as it stands', () => {
    const environment = { EARSHOT_ADMIN_EMAIL: ` ${email} `, EARSHOT_ADMIN_PASSWORD: ` ${password} ` };
    expect(readConfig(environment).admin).toEqual({ email, password: ` ${password} ` });
  });

  test.each([
    [{ EARSHOT_ADMIN_EMAIL: email }, ['EARSHOT_ADMIN_PASSWORD must have at least 8 characters']],
    [{ EARSHOT_ADMIN_PASSWORD: password }, ['EARSHOT_ADMIN_EMAIL must be like "ada@example.org"']],
    [
      { EARSHOT_ADMIN_EMAIL: email, EARSHOT_ADMIN_PASSWORD: '' },
      ['EARSHOT_ADMIN_PASSWORD must have at least 8 characters'],
    ],
    [
      { EARSHOT_ADMIN_EMAIL: '', EARSHOT_ADMIN_PASSWORD: password },
      ['EARSHOT_ADMIN_EMAIL must be like "ada@example.org"'],
    ],
    [
      { EARSHOT_ADMIN_EMAIL: email, EARSHOT_ADMIN_PASSWORD: 'short' },
      ['EARSHOT_ADMIN_PASSWORD must have at least 8 characters'],
    ],
    [
      { EARSHOT_ADMIN_EMAIL: 'nobody', EARSHOT_ADMIN_PASSWORD: password },
      ['EARSHOT_ADMIN_EMAIL must be like "ada@example.org"'],
    ],
  ])('%j is not enough', (environment, faults) => {
    expect(faultsOf(environment as Record<string, string>)).toEqual(faults);
  });
});

test('all faults are found at once', () => {
  const environment = Object.fromEntries(Object.entries(bad).map(([name, texts]) => [name, texts[0] ?? '']));
  const faults = faultsOf({ ...environment, EARSHOT_ADMIN_EMAIL: 'nobody', EARSHOT_ADMIN_PASSWORD: 'short' });
  expect(faults.map((fault) => fault.split(' ')[0] ?? '').toSorted()).toEqual(
    [...Object.keys(bad), 'EARSHOT_ADMIN_EMAIL', 'EARSHOT_ADMIN_PASSWORD'].toSorted(),
  );
});

test('a direct address of the database is for a pooler', () => {
  const direct = { EARSHOT_DATABASE_DIRECT_URL: 'postgres://a:b@c/d' };
  expect(faultsOf(direct)).toEqual([
    'EARSHOT_DATABASE_DIRECT_URL needs EARSHOT_DATABASE_URL, the address of the pooler',
  ]);
  expect(readConfig({ ...direct, EARSHOT_DATABASE_URL: 'postgres://a:b@pooler/d' })).toMatchObject({
    databaseUrl: 'postgres://a:b@pooler/d',
    databaseDirectUrl: 'postgres://a:b@c/d',
  });
});

test('a setting that may hold a secret is never repeated', () => {
  const secrets = {
    EARSHOT_DATABASE_URL: 'mysql://me:hunter2@db/x',
    EARSHOT_SECRET_KEY: 'hunter2',
    EARSHOT_ADMIN_EMAIL: 'a@b',
    EARSHOT_ADMIN_PASSWORD: 'hunter2',
  };
  expect(faultsOf(secrets)).toHaveLength(3);
  expect(faultsOf(secrets).join('\n')).not.toContain('hunter2');
});
