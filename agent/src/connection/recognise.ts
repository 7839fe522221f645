import type { Operation } from '@earshot/contract/operation';
import { operationList } from '@earshot/contract/operations';
import { platformHeader } from '@earshot/contract/platform-mark';
import { problemMedia } from '@earshot/contract/problem';

/*
 * Whether an answer comes from the platform. It marks its answers; the version before did not, so that they are known by
 * their shape: a portal answers with a page, or with JSON that no operation declares.
 */

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

export const isMarked = (headers: Headers): boolean => (headers.get(platformHeader) ?? '') !== '';

/** Whether an answer without the mark may be one of the version before, so that its body is worth reading. */
export const mayBeOlder = (headers: Headers): boolean => headers.has('x-request-id');

/** Whether an answer without the mark has the shape of the platform's answer to this request. */
export function hasOlderShape(method: string, path: string, response: Response, text: string): boolean {
  if (!mayBeOlder(response.headers)) return false;
  if (path.startsWith('/install/')) return true;
  if (method === 'HEAD') return response.headers.has('tus-resumable');
  const operation = findOperation(method, path);
  if (!response.ok) return isProblem(response, text) || isTextError(operation, response, text);
  if (path.startsWith('/v1/upload') && operation?.answer === undefined) return response.headers.has('tus-resumable');
  if (text === '') return operation?.answer === undefined || operation.answerOptional;
  const value = parseJson(text);
  return value !== undefined && operation?.answer !== undefined && fits(operation.answer, value);
}

function findOperation(method: string, path: string): Operation | undefined {
  const found = operationList.filter(
    ([, operation]) =>
      operation.method === method && new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  // The one without parameters is the one that is served.
  return (found.find(([, { path: declared }]) => declared === path) ?? found[0])?.[1];
}

function isProblem({ status, headers }: Response, text: string): boolean {
  if (!(headers.get('content-type') ?? '').startsWith(problemMedia)) return false;
  const problem = parseJson(text) as Readonly<Record<string, unknown>> | null | undefined;
  return problem?.['status'] === status && typeof problem['title'] === 'string' && typeof problem['type'] === 'string';
}

const isTextError = (operation: Operation | undefined, { status }: Response, text: string): boolean =>
  operation?.textErrors === true && status === 400 && typeof parseJson(text) === 'string';

/** Records have exactly the declared fields, so an object with another one is none of the platform's. */
function fits(schema: Schema, value: unknown): boolean {
  const { type, items, properties, required = [] } = schema;
  if (type === 'array') return Array.isArray(value) && value.every((item) => fits(items ?? {}, item));
  if (type !== 'object') return type === undefined || typeof value === (type === 'integer' ? 'number' : type);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  const isDeclared = (name: string) => properties !== undefined && Object.hasOwn(properties, name);
  return names.length > 0 && names.every(isDeclared) && required.every((name) => names.includes(name));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
