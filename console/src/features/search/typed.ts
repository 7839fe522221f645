import type { Device } from '@earshot/contract/device';
import type { Talkgroup } from '@earshot/contract/radio';
import type { Tag } from '@earshot/contract/tag';
import { findOptions } from '../../lib/ui/find-options.ts';
import { nameOf } from '../device/public.ts';
import { talkgroupText } from '../talkgroup/public.ts';
import type { SearchState } from './address.ts';
import { dayOf, dayRange } from './address.ts';

/* Filters that are typed into the field: `device:gate talkgroup:"FIRE DISP" after:yesterday ferry`. */

const names = ['device', 'talkgroup', 'tag', 'before', 'after'] as const;
export type TypedName = (typeof names)[number];

export interface Typed {
  readonly name: TypedName;
  readonly value: string;
}

export interface ReadText {
  /** The text without its filters. */
  readonly rest: string;
  readonly filters: readonly Typed[];
  /** The filter at the end that is still being typed. */
  readonly pending: Typed | undefined;
}

/** A filter, or words in quotes, which contain none. */
const part = /(?<![^\s])(device|talkgroup|tag|before|after):(?:"([^"]*)("?)|(\S*))|"[^"]*"?/giu;

/** Reads the filters out of a text. With `isDone`, as on Enter, none is pending. */
export function readTyped(text: string, isDone: boolean): ReadText {
  const filters: Typed[] = [];
  let pending: Typed | undefined;
  const rest = text.replaceAll(
    part,
    (all, name?: string, quoted?: string, close?: string, plain?: string, at?: number) => {
      if (name === undefined) return all;
      const typed = { name: name.toLowerCase() as TypedName, value: (quoted ?? plain ?? '').trim() };
      const isLast = Number(at) + all.length === text.length;
      if (!isDone && isLast && close !== '"') pending = typed;
      else if (typed.value !== '') filters.push(typed);
      return ' ';
    },
  );
  return { rest: rest.replaceAll(/\s+/g, ' ').trim(), filters, pending };
}

export interface Known {
  readonly devices: readonly Device[];
  readonly tags: readonly Tag[];
  readonly talkgroups: readonly Talkgroup[];
}

export interface TypedOption {
  readonly label: string;
  readonly apply: (search: SearchState) => SearchState;
}

const withKey = (list: readonly number[] = [], key = 0): number[] => [...new Set([...list, key])];

/** What a typed filter may mean, the closest first. */
export function optionsOf({ name, value }: Typed, known: Known): readonly TypedOption[] {
  if (name === 'before' || name === 'after') return dayOption(name, value);
  const all: readonly (TypedOption & { readonly value: string })[] =
    name === 'device'
      ? known.devices.map((device) => ({
          value: device.deviceSerial ?? '',
          label: nameOf(device),
          apply: (search) => ({ ...search, deviceIDList: withKey(search.deviceIDList, device.key) }),
        }))
      : name === 'tag'
        ? known.tags.map(({ key, tagName = '' }) => ({
            value: tagName,
            label: tagName,
            apply: (search) => ({ ...search, tagIDList: withKey(search.tagIDList, key) }),
          }))
        : known.talkgroups.map((one) => ({
            value: String(one.talkgroup),
            label: talkgroupText(one),
            apply: (search) => ({ ...search, talkgroup: one.talkgroup ?? 0 }),
          }));
  const wanted = value.toLowerCase();
  const same = all.filter((option) => [option.label, option.value].some((text) => text.toLowerCase() === wanted));
  const named = findOptions(all, value) as typeof all;
  const found = [...same, ...named.filter((option) => !same.includes(option))];
  // A talkgroup without a name is not listed.
  if (name !== 'talkgroup' || found.length > 0 || !/^\d{1,9}$/.test(value) || Number(value) === 0) return found;
  return [{ label: `Talkgroup ${value}`, apply: (search) => ({ ...search, talkgroup: Number(value) }) }];
}

const dayMs = 86_400_000;

function dayOption(name: 'before' | 'after', value: string): readonly TypedOption[] {
  const relative: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };
  const ago = relative[value.toLowerCase()];
  const day = ago === undefined ? value : dayOf((new Date().setHours(12) - ago * dayMs) / 1_000);
  const range = /^\d{4}-\d{2}-\d{2}$/.test(day) ? dayRange(day) : undefined;
  if (!range || dayOf(range.startEpoch) !== day) return [];
  const { startEpoch } = range;
  return name === 'after'
    ? [{ label: `From ${day}`, apply: (search) => ({ ...search, startEpoch }) }]
    : [{ label: `Before ${day}`, apply: (search) => ({ ...search, endEpoch: startEpoch - 1 }) }];
}

/** What to write instead of a filter that nothing matches. */
export function typedProblem({ name, value }: Typed): string {
  if (name === 'before' || name === 'after') {
    return `“${value}” is no day. Write it as 2026-11-15, today or yesterday.`;
  }
  return `There is no ${name} “${value}”. Write a part of its name, in quotes if it has spaces.`;
}
