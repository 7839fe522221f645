import { useMemo } from 'preact/hooks';
import { api } from '../api.ts';
import type { Query } from '../query.ts';
import { refresh, useQuery } from '../query.ts';
import type { TableColumn } from './column.ts';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** A filter with its order and columns, under a name. */
export interface SavedView {
  readonly name: string;
  /** The query of the address. */
  readonly query: string;
  readonly columns: readonly string[];
}

/** What a person has chosen for a table, kept on the server. */
export interface TableSettings {
  /** Unset: the usual columns. */
  readonly columns?: readonly string[];
  readonly density: Density;
  readonly views: readonly SavedView[];
}

const usual: TableSettings = { density: 'compact', views: [] };
const settingName = (table: string): string => `console.table.${table}`;

const settingsOf = (table: string): Query<TableSettings> => ({
  key: `table settings ${table}`,
  load: async () => {
    const settings = await api.listUserSettings({ query: {} });
    return readSettings(settings.find((one) => one.settingName === settingName(table))?.settingValue ?? '{}');
  },
});

/** Another version of the console may have written it. */
export function readSettings(text: string): TableSettings {
  try {
    const read = JSON.parse(text) as Partial<TableSettings>;
    const views = (Array.isArray(read.views) ? read.views : []).filter(isView);
    const density = densities.find((one) => one === read.density) ?? usual.density;
    return { density, views, ...(isNames(read.columns) ? { columns: read.columns } : {}) };
  } catch {
    return usual;
  }
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');
const isView = (view: Partial<SavedView>): boolean =>
  typeof view.name === 'string' && typeof view.query === 'string' && isNames(view.columns);

export interface UsedSettings<Row> extends TableSettings {
  readonly shown: readonly TableColumn<Row>[];
  /** Undefined until the settings are loaded. */
  readonly change: ((changes: Partial<TableSettings>) => Promise<void>) | undefined;
}

export function useTableSettings<Row>(table: string, columns: readonly TableColumn<Row>[]): UsedSettings<Row> {
  const query = useMemo(() => settingsOf(table), [table]);
  const { data } = useQuery(query);
  const settings = data ?? usual;
  const chosen = settings.columns;
  const isShown = ({ name, isFixed, isHidden }: TableColumn<Row>) =>
    isFixed || (chosen ? chosen.includes(name) : !isHidden);
  const change = async (changes: Partial<TableSettings>) => {
    const settingValue = JSON.stringify({ ...settings, ...changes });
    await api.putUserSetting({ query: {}, body: { settingName: settingName(table), settingValue } });
    refresh([query.key]);
  };
  return { ...settings, shown: columns.filter(isShown), change: data ? change : undefined };
}
