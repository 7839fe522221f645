import type { ChannelSettings, ChannelSettingsUpdate } from '@earshot/contract/channel';
import type { ChannelKindName } from '@earshot/contract/channel-kinds';
import { channelKinds, channelSettingNames } from '@earshot/contract/channel-kinds';
import type { FieldError } from '@earshot/contract/validation';
import { invalid } from '../../errors.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Means } from './kinds/kind.ts';
import { kindsByName } from './kinds/kinds.ts';

/** Bound to the channel: settings that are copied to another row cannot be decrypted. */
const purposeOf = (channelID: number): string => `channel settings ${channelID}`;

export const sealSettings = (box: SecretBox, channelID: number, settings: ChannelSettings): Buffer =>
  box.seal(JSON.stringify(settings), purposeOf(channelID));

/** Undefined if they cannot be decrypted, as after a restore without the secret key. */
export function openChannelSettings(
  box: SecretBox,
  channelID: number,
  sealed: Uint8Array | null,
): ChannelSettings | undefined {
  try {
    return sealed ? (JSON.parse(box.open(sealed, purposeOf(channelID))) as ChannelSettings) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Null clears, what is missing stays; empty texts count as missing. An address that comes back as it was shown, without its
 * query, stays: clients send whole records back.
 */
export function changeSettings(before: ChannelSettings, update: ChannelSettingsUpdate): ChannelSettings {
  const entries = channelSettingNames.map((name) => {
    const given = update[name];
    const isSame =
      given === undefined || (name === 'url' && before.url !== undefined && given === withoutQuery(before.url));
    return [name, isSame ? before[name] : (given ?? undefined)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
}

/** Throws 400 with all that is wrong, each with its place. */
export function requireSettings(kind: ChannelKindName, settings: ChannelSettings, means: Means): void {
  const { fields, label } = channelKinds[kind];
  const own = new Set(fields.map(({ name }) => name));
  const errors: FieldError[] = channelSettingNames
    .filter((name) => settings[name] !== undefined && !own.has(name))
    .map((name) => ({ path: name, message: `does not belong to a channel of the kind ${label}` }));
  for (const { name, isRequired, help, input } of fields) {
    const value = settings[name];
    if (isRequired && value === undefined) errors.push({ path: name, message: `is required. ${help}` });
    if (typeof value !== 'string') continue;
    if (input !== 'lines' && /\p{Cc}/u.test(value))
      errors.push({ path: name, message: 'must be one line without control characters' });
    // It is sent in a header.
    if (name === 'token' && !/^[\x21-\x7e]+$/.test(value))
      errors.push({ path: name, message: 'must have only printable ASCII characters without spaces' });
  }
  if (errors.length === 0) errors.push(...kindsByName[kind].check(settings, means));
  if (errors.length > 0) throw invalid(errors.map(({ path, message }) => ({ path: `settings.${path}`, message })));
}

/** What may be shown: no secrets, and addresses without their query, where secrets live. */
export function showSettings(kind: ChannelKindName, settings: ChannelSettings): ChannelSettings {
  const shown = channelKinds[kind].fields.flatMap(({ name, isSecret, input }) => {
    const value = settings[name];
    if (value === undefined || isSecret) return [];
    return [[name, input === 'url' && typeof value === 'string' ? withoutQuery(value) : value] as const];
  });
  return Object.fromEntries(shown);
}

const withoutQuery = (url: string): string => url.split(/[?#]/)[0] ?? '';

export const secretsIn = (kind: ChannelKindName, settings: ChannelSettings): readonly string[] =>
  channelKinds[kind].fields
    .filter(({ name, isSecret }) => isSecret && settings[name] !== undefined)
    .map(({ name }) => name);
