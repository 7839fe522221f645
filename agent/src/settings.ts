import { readFile } from 'node:fs/promises';
import type { Client } from '@earshot/client/client';
import type { AgentSettings } from './config.ts';
import { ConfigError, parseSettings } from './config.ts';
import type { AgentLog } from './log.ts';
import { reasonOf } from './loop.ts';
import { writeWhole } from './update/versions.ts';
import type { CarryOut } from './work.ts';
import { EventFailure } from './work.ts';

export interface Settings {
  readonly current: AgentSettings;
  /** Throws a ConfigError if it is not a setting, or the value is not valid. */
  set(name: string, value: string): Promise<void>;
}

/** The settings of the configuration, and those that the platform changed, which are kept in a file. */
export async function openSettings(configured: AgentSettings, path: string, log: AgentLog): Promise<Settings> {
  const { upload, uploadKilobytesPerSecond, diskBudgetMB } = configured;
  const base = { upload, uploadKilobytesPerSecond, diskBudgetMB };
  let changed: Readonly<Record<string, unknown>> = {};
  let current: AgentSettings = base;
  try {
    const text = await readFile(path, 'utf8').catch(() => '{}');
    const kept = JSON.parse(text) as Record<string, unknown>;
    current = parseSettings({ ...base, ...kept });
    changed = kept;
  } catch (error) {
    log.write('error', `${path} is not used: ${reasonOf(error)}`);
  }
  return {
    get current() {
      return current;
    },
    async set(name, value) {
      const next = { ...changed, [name]: readValue(value) };
      const parsed = parseSettings({ ...base, ...next });
      await writeWhole(path, JSON.stringify(next));
      changed = next;
      current = parsed;
    },
  };
}

/** The platform stores values as text. */
const readValue = (text: string): string | number =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

/** Changes one setting, and reports its value. */
export function updateSetting(settings: Settings, report: () => Promise<void>): CarryOut {
  return async ({ parameters }) => {
    const { settingName, settingValue } = parameters;
    if (typeof settingName !== 'string') throw new EventFailure('settingName must be the name of a setting.');
    if (!['string', 'number', 'boolean'].includes(typeof settingValue))
      throw new EventFailure('settingValue must be the value that is wanted.');
    try {
      await settings.set(settingName, String(settingValue));
    } catch (error) {
      throw error instanceof ConfigError ? new EventFailure(error.message) : error;
    }
    await report();
    return `${settingName} is ${String(settingValue)}.`;
  };
}

interface SyncParts {
  readonly client: Client;
  readonly deviceID: number;
  readonly settings: Settings;
  readonly log: AgentLog;
}

/** Applies the values that are wanted on the platform, and reports the values that this agent has. */
export async function syncSettings({ client, deviceID, settings, log }: SyncParts, signal: AbortSignal): Promise<void> {
  const known = await client.listDeviceSettings({ params: { deviceID } }, { signal });
  const platform = new Map(known.map((setting) => [setting.settingName, setting]));
  for (const name of Object.keys(settings.current) as (keyof AgentSettings)[]) {
    const wanted = platform.get(name)?.wantedValue;
    if (wanted === undefined || wanted === String(settings.current[name])) continue;
    await settings.set(name, wanted).catch((error: unknown) => {
      log.write('error', `The setting that the platform wants is not valid: ${reasonOf(error)}`);
    });
  }
  await reportSettings({ client, deviceID, settings }, signal, platform);
}

/** Sends the values that the platform does not have. */
export async function reportSettings(
  { client, deviceID, settings }: Omit<SyncParts, 'log'>,
  signal: AbortSignal,
  platform: ReadonlyMap<string | undefined, { readonly reportedValue?: string }> = new Map(),
): Promise<void> {
  for (const [settingName, value] of Object.entries(settings.current)) {
    const settingValue = String(value);
    if (platform.get(settingName)?.reportedValue === settingValue) continue;
    await client.putDeviceSetting({ params: { deviceID }, body: { settingName, settingValue } }, { signal });
  }
}
