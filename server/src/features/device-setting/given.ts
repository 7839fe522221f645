import type { DeviceSettingUpdate } from '@earshot/contract/device-setting';
import { invalidField } from '../../errors.ts';

/** The names that a query may have for a setting. */
export interface NameQuery {
  readonly setting_name?: string;
  readonly settingname?: string;
}

/** All places that name the setting must agree. */
export function requireSettingName(query: NameQuery, given: DeviceSettingUpdate = {}): string {
  const places = [query.setting_name, query.settingname, given.settingName, given.name];
  const names = new Set(places.filter((name) => name !== undefined && name !== ''));
  const [name] = names;
  if (name === undefined) throw invalidField('setting_name', 'is required: the name of the setting');
  if (names.size > 1) throw invalidField('setting_name', 'must be the same name wherever the request has one');
  return name;
}

/** The value as text; null removes it. */
export function requireSettingValue(given: DeviceSettingUpdate): string | null {
  const value = given.settingValue === undefined ? given.value : given.settingValue;
  if (value === undefined) throw invalidField('settingValue', 'is required; null removes the value');
  return value === null ? null : String(value);
}
