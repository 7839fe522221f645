import type { Static } from 'typebox';
import { Type } from 'typebox';
import { DeviceSerial } from './device.ts';
import { operation } from './operation.ts';
import { DateTime, Key, PathKey, shortTextLength, text } from './values.ts';

/** How long a code is valid. */
export const codeMinutes = 15;

/** Crockford's base 32: without I, L, O and U. */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const codeGroups = 3;
export const codeGroupLength = 4;

const codePattern = new RegExp(`^[${codeAlphabet}]{${codeGroups * codeGroupLength}}$`);

/** The code as it is compared, or undefined if it cannot be one: case, spaces and hyphens do not matter. */
export function readCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return codePattern.test(code) ? code : undefined;
}

/** The code as people read it: `7K3M-9QRT-2WXY`. */
export const showCode = (code: string): string =>
  Array.from({ length: codeGroups }, (_, at) => code.slice(at * codeGroupLength, (at + 1) * codeGroupLength)).join('-');

const InstallationState = Type.Object(
  {
    installURL: Type.Optional(
      Type.String({
        examples: ['https://earshot.example.org/install'],
        description: 'The address of the installation script; missing while recorders cannot be installed.',
      }),
    ),
    unavailableBecause: Type.Optional(
      Type.String({ description: 'What the operator of the server must do, if recorders cannot be installed.' }),
    ),
    agentVersion: Type.Optional(text(shortTextLength, '0.1.0')),
  },
  { title: 'InstallationState' },
);
export type InstallationState = Static<typeof InstallationState>;

const InstallationCode = Type.Object(
  {
    deviceID: Type.Optional(Key),
    code: Type.Optional(
      Type.String({ examples: ['7K3M-9QRT-2WXY'], description: 'Shown only once, in this response.' }),
    ),
    expirationDate: Type.Optional(DateTime),
  },
  { title: 'InstallationCode' },
);
export type InstallationCode = Static<typeof InstallationCode>;

const CodeExchange = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 100,
      examples: ['7K3M-9QRT-2WXY'],
      description: 'Case, spaces and hyphens do not matter.',
    }),
  },
  { title: 'CodeExchange' },
);

const InstalledDevice = Type.Object(
  {
    deviceSerial: Type.Optional(Type.String({ ...DeviceSerial })),
    deviceName: Type.Optional(text(shortTextLength)),
    accessKey: Type.Optional(text(64)),
    secretKey: Type.Optional(Type.String({ maxLength: 64, description: 'Shown only once, in this response.' })),
  },
  { title: 'InstalledDevice', description: 'A device and a new write-only key for it.' },
);
export type InstalledDevice = Static<typeof InstalledDevice>;

export const getInstallation = operation('installation', {
  method: 'GET',
  path: '/v1/installation',
  summary: 'Find out whether recorders can be installed by one line',
  access: 'caller',
  acts: [],
  answer: InstallationState,
});

export const createInstallationCode = operation('installation', {
  method: 'POST',
  path: '/v1/device/{deviceID}/installation',
  repetition: 'secret',
  summary: 'Create a code that installs the agent of a device',
  description:
    `The code is valid for ${codeMinutes} minutes and works once. It replaces an earlier code of the device. The key for ` +
    'which it is exchanged is yours, may act for this device only, and is write-only.',
  access: 'session',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  answer: InstallationCode,
  trail: ['installation-code-created'],
});

export const exchangeInstallationCode = operation('installation', {
  method: 'POST',
  path: '/v1/installation',
  repetition: 'secret',
  summary: 'Exchange a code for the key of its device',
  description:
    'Needs no credential. If the code is wrong, expired or used, or its creator may no longer change the device: 401, ' +
    'always with the same text. After some wrong codes, an address must wait: 429.',
  access: 'anyone',
  acts: [],
  body: CodeExchange,
  answer: InstalledDevice,
  errors: [401],
  trail: ['key-created'],
});
