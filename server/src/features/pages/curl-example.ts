import type { JsonSchema, OpenApiDocument } from '@earshot/contract/openapi-document';
import type { ListedOperation } from './listed-operation.ts';

const longestLine = 72;
const deepest = 8;

/** A valid value of the schema, made from its examples; undefined if it has none. */
export function exampleOf(document: OpenApiDocument, schema: JsonSchema, depth = 0): unknown {
  if (depth > deepest) return undefined;
  if (schema.$ref) return exampleOf(document, resolveSchema(document, schema), depth + 1);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.enum?.length) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(document, schema.anyOf[0], depth + 1);
  if (schema.items) {
    const item = exampleOf(document, schema.items, depth + 1);
    return item === undefined ? [] : [item];
  }
  if (!schema.properties) return undefined;
  const fields = Object.entries(schema.properties).map(([name, field]) => [
    name,
    exampleOf(document, field, depth + 1),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

export function resolveSchema(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = schemaName(schema);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

export const schemaName = (schema: JsonSchema): string | undefined => schema.$ref?.split('/').at(-1);

/** A command to paste into a shell, after `$EARSHOT`, `$ACCESS` and `$SECRET` are set. */
export function curlExample(document: OpenApiDocument, { path, method, operation }: ListedOperation): string {
  const credentials = { anyone: '', session: ' -b cookies.txt', admin: ' -b cookies.txt' } as Record<string, string>;
  const option = { get: '', head: ' -I' } as Record<string, string>;
  const words = [
    `curl${option[method] ?? ` -X ${method.toUpperCase()}`}${credentials[operation['x-access']] ?? ' -u "$ACCESS:$SECRET"'}`,
    `"$EARSHOT${targetExample(path, operation.parameters)}"`,
  ];
  words.push(...headersExample(operation));
  const body = operation.requestBody?.content['application/json'];
  const form = formOf(operation);
  if (body)
    words.push("-H 'Content-Type: application/json'", `-d ${quote(bodyText(exampleOf(document, body.schema)))}`);
  else if (form) words.push(...partsExample(resolveSchema(document, form)));
  else if (operation.requestBody?.required) words.push('-T dawn.flac');
  const line = words.join(' ');
  return line.length <= longestLine ? line : words.join(' \\\n  ');
}

/** The form of an operation that takes `multipart/form-data`. */
export const formOf = ({ requestBody }: ListedOperation['operation']): JsonSchema | undefined =>
  requestBody?.content['multipart/form-data']?.schema;

/** The parts that are secrets, files, or have an example. curl chooses the method. */
function partsExample({ properties = {} }: JsonSchema): readonly string[] {
  return Object.entries(properties).flatMap(([name, { format, examples }]) => {
    if (format === 'password') return [`-F "${name}=$UPLOAD_KEY"`];
    if (format === 'binary') return [`-F ${name}=@call.wav`];
    return examples?.length ? [`-F ${quote(`${name}=${String(examples[0])}`)}`] : [];
  });
}

/** Headers that have an example, and the content type of bytes that must have one. */
function headersExample({ parameters = [], requestBody }: ListedOperation['operation']): readonly string[] {
  const named = parameters.filter((parameter) => parameter.in === 'header' && parameter.example !== undefined);
  const [type = ''] = requestBody?.required ? Object.keys(requestBody.content) : [];
  const pairs = named.map(({ name, example }): readonly [string, string] => [name, String(example)]);
  if (type.endsWith('+octet-stream')) pairs.push(['content-type', type]);
  return pairs.map(([name, value]) => `-H ${quote(`${titleCase(name)}: ${value}`)}`);
}

const titleCase = (name: string): string => name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());

function targetExample(path: string, parameters: ListedOperation['operation']['parameters'] = []): string {
  const value = (example: unknown) => encodeURIComponent(String(example));
  const named = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const target = path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const example = named.get(name)?.example;
    return example === undefined ? whole : value(example);
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map(({ name, example }) => `${encodeURIComponent(name)}=${value(example)}`);
  return query.length > 0 ? `${target}?${query.join('&')}` : target;
}

function bodyText(value: unknown): string {
  const line = JSON.stringify(value ?? {});
  return line.length <= longestLine ? line : JSON.stringify(value, null, 2);
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
