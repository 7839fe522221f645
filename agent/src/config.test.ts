import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const whole = {
  server: 'https://earshot.example.org',
  deviceSerial: 'recorder-17',
  accessKey: 'AK1',
  secretKey: 'hidden-secret',
  sources: [
    { kind: 'folder', path: '/recordings' },
    { kind: 'soundCard', clipSeconds: 30 },
    { kind: 'stream', url: 'rtsp://camera/1' },
  ],
};

const faultsOf = (changes: object): string[] => {
  try {
    parseConfig(JSON.stringify({ ...whole, ...changes }));
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
  return [];
};

test('missing settings have defaults', () => {
  expect(parseConfig(JSON.stringify(whole))).toEqual({
    server: 'https://earshot.example.org',
    deviceSerial: 'recorder-17',
    accessKey: 'AK1',
    secretKey: 'hidden-secret',
    folder: '/var/lib/earshot-agent',
    sources: [
      { kind: 'folder', path: '/recordings', settleSeconds: 5, unfinishedMinutes: 10, removeUploaded: false },
      { kind: 'capture', input: ['-f', 'alsa', '-i', 'default'], clipSeconds: 30, when: 'always' },
      {
        kind: 'capture',
        input: ['-rtsp_transport', 'tcp', '-analyzeduration', '1000000', '-i', 'rtsp://camera/1'],
        clipSeconds: 60,
        when: 'always',
      },
    ],
    upload: 'requested',
    uploadKilobytesPerSecond: 0,
    diskBudgetMB: 2048,
    allow: [],
    allowNetworks: undefined,
    updateConfirmSeconds: 120,
  });
});

test.each([
  [
    { server: 'earshot.example.org' },
    ['server: must be the address of the platform, such as https://earshot.example.org'],
  ],
  [{ deviceSerial: undefined }, ['deviceSerial: is missing; it must be the serial of this device']],
  [{ upload: 'always' }, ['upload: must be requested or atOnce']],
  [{ uploads: 'atOnce' }, ['uploads: is not a setting']],
  [{ diskBudgetMB: '1' }, ['diskBudgetMB: must be a number from 10 to 100000000']],
  [{ sources: {} }, ['sources: must be a list']],
  [{ sources: [{ kind: 'tape' }] }, ['sources[0].kind: must be folder or soundCard or stream']],
  [{ sources: [{ kind: 'folder', path: 'recordings' }] }, ['sources[0].path: must be an absolute path']],
  [
    { sources: [{ kind: 'stream', url: 'file:///etc/passwd' }] },
    ['sources[0].url: must begin with rtsp://, http:// or https://'],
  ],
  [{ sources: ['/recordings'] }, ['sources[0]: must be an object']],
  [{ allowNetworks: ['home', '10.0.0.0/8'] }, ['allowNetworks[0]: must be a network such as 10.0.0.0/8']],
  [{ allow: ['Upload'] }, ['allow[0]: must be one of Update_software, Reboot, End_process, Restart_agents']],
])('%j is refused with the setting and the rule', (changes, faults) => {
  expect(faultsOf(changes)).toEqual(faults);
});

test('all faults are reported together, without secrets', () => {
  const faults = faultsOf({ server: 1, secretKey: 'x'.repeat(300), folder: 'here' });
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['server', 'secretKey', 'folder']);
  expect(faults.join()).not.toContain('xxx');
  expect(() => parseConfig('{')).toThrow(/^The configuration is not JSON/);
});
