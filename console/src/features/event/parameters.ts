import { InputProblem } from '../../lib/input-problem.ts';

/** A parameter of an event, as it is edited. */
export interface ParameterRow {
  readonly name: string;
  readonly value: string;
}

/** Parameters as they are edited: as rows, or as JSON. */
export type Parameters = { readonly rows: readonly ParameterRow[] } | { readonly json: string };

/** The parameters that agents of built-in types read, for the form. Other types have free names. */
export const knownParameters: Readonly<Record<string, readonly string[]>> = {
  Update_setting: ['settingName', 'settingValue'],
  End_process: ['processID'],
};

const looksTyped = /^(?:-?\d+(?:\.\d+)?|true|false|null|".*"|\[.*\]|\{.*\})$/s;

/** Numbers, `true`, `false`, `null`, lists and objects are read as JSON, everything else is text. */
export function readValue(text: string): unknown {
  if (!looksTyped.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The text from which `readValue` reads this value. */
const writeValue = (value: unknown): string =>
  typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value);

/** The text of a JSON object. Throws an InputProblem. */
export function parametersOf(rows: readonly ParameterRow[]): string {
  const filled = rows.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');
  const names = filled.map(({ name }) => name.trim());
  if (names.includes('')) throw new InputProblem('A parameter has no name. Enter one, or remove the row.');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new InputProblem(`There are two parameters named ${twice}. Remove one of them.`);
  return JSON.stringify(Object.fromEntries(filled.map(({ value }, index) => [names[index], readValue(value.trim())])));
}

/** The rows of the text of a JSON object. Throws an InputProblem. */
export function rowsOf(json: string): readonly ParameterRow[] {
  return Object.entries(readObject(json)).map(([name, value]) => ({ name, value: writeValue(value) }));
}

/** The text of a JSON object. Throws an InputProblem. */
export const writtenParameters = (parameters: Parameters): string =>
  parametersOf('json' in parameters ? rowsOf(parameters.json) : parameters.rows);

/** Throws an InputProblem if the text is no JSON object. */
function readObject(json: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json.trim() || '{}');
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputProblem('Parameters must be a JSON object, for example {"delay": 5}.');
}

/** `delay: 5, mode: loud`, for a row of a list. */
export function parametersSummary(json: string): string {
  try {
    return rowsOf(json)
      .map(({ name, value }) => `${name}: ${value}`)
      .join(', ');
  } catch {
    return json;
  }
}
