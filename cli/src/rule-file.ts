import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { NewRule } from '@earshot/contract/rule';
import { NewRule as NewRuleSchema } from '@earshot/contract/rule';
import type { Io } from './io.ts';
import { Failure } from './failure.ts';

/** A rule from a file: what a person writes, without the fields that the platform sets. */
export interface RuleFile {
  readonly rule: NewRule;
  /** Of a rule that was saved with “earshot rules show --json”. */
  readonly version: number | undefined;
}

/** Reads a rule from a file, or from standard input if its name is `-`. The platform checks what it says. */
export async function readRuleFile(io: Io, name: string): Promise<RuleFile> {
  const read = name === '-' ? await text(io.stdin) : await readText(resolve(io.folder, name), name);
  const given = parse(read, name);
  const written = Object.entries(given).filter(([field]) => !Object.hasOwn(fieldsOfPlatform, field));
  const { version } = given;
  return {
    rule: Object.fromEntries(written) as unknown as NewRule,
    version: typeof version === 'number' ? version : undefined,
  };
}

/** In a record that was read, beside what a person writes. A field that is written wrong is not one of them. */
const fieldsOfPlatform: Readonly<Record<string, true>> = {
  key: true,
  userID: true,
  version: true,
  mutedUntil: true,
  creationDate: true,
  createdBy: true,
  lastModifiedDate: true,
  lastModifiedBy: true,
};

async function readText(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure(`${name} cannot be read: ${(error as Error).message}`);
  }
}

function parse(read: string, name: string): Readonly<Record<string, unknown>> {
  let given: unknown;
  try {
    given = JSON.parse(read);
  } catch (error) {
    throw new Failure(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    const unknown = Object.keys(given).find((field) => !Object.hasOwn(known, field));
    if (unknown === undefined) return given as Readonly<Record<string, unknown>>;
    throw new Failure(`${name} has a field “${unknown}”, which no rule has. Its fields are ${fields.join(', ')}.`);
  }
  throw new Failure(`${name} must contain one rule: a JSON object.`);
}

const fields = Object.keys(NewRuleSchema.properties);
const known = { ...NewRuleSchema.properties, ...fieldsOfPlatform };
