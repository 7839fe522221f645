export type { NameQuery } from './given.ts';
export { requireSettingName, requireSettingValue } from './given.ts';
