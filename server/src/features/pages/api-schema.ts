import type { JsonSchema, OpenApiDocument } from '@earshot/contract/openapi-document';
import { largestInteger } from '@earshot/contract/values';
import { resolveSchema, schemaName } from './curl-example.ts';
import type { HtmlContent, Html } from '../../platform/html.ts';
import { html } from '../../platform/html.ts';
import { renderInline } from './markdown/render.ts';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
};

const join = (parts: readonly HtmlContent[], separator: string): HtmlContent =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));

/** The type and its limits in words, with a link if it is a named record. */
export function renderType(schema: JsonSchema): Html {
  const name = schemaName(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  if (schema.anyOf) return html`${join(schema.anyOf.map(renderType), ' or ')}`;
  if (schema.items)
    return html`list of ${renderType(schema.items)}${bounds(schema.minItems, schema.maxItems, 'entries')}`;
  if (schema.enum) {
    return html`${join(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ' or ',
    )}${orNull(schema)}`;
  }
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types.length === 0) return html`any value`;
  const words = types.map((type) => schemaFormat(schema) ?? typeNames[type] ?? type);
  return html`${words.join(' or ')}${boundsOf(schema)}${orNull(schema)}`;
}

const orNull = ({ type }: JsonSchema): string | undefined => ([type].flat().includes('null') ? ', or null' : undefined);

const formatNames: Readonly<Record<string, string>> = {
  'date-time': 'date-time',
  'time-zone': 'time zone',
  binary: 'bytes',
};

const schemaFormat = ({ format = '' }: JsonSchema): string | undefined => formatNames[format];

function boundsOf(schema: JsonSchema): string {
  // A format such as date-time already limits the length.
  if (schemaFormat(schema) !== undefined) return '';
  return (
    bounds(schema.minLength, schema.maxLength, 'characters') +
    bounds(ownBound(schema.minimum), ownBound(schema.maximum))
  );
}

/** The range of all integers is stated once for the whole API. */
const ownBound = (bound: number | undefined) =>
  bound === undefined || Math.abs(bound) >= largestInteger ? undefined : bound;

function bounds(least: number | undefined, most: number | undefined, unit?: string): string {
  const number = (value: number) => value.toLocaleString('en');
  const after = unit === undefined ? '' : ` ${unit}`;
  if (least !== undefined && most !== undefined) return `, ${number(least)} to ${number(most)}${after}`;
  if (least !== undefined) return `, at least ${number(least)}${after}`;
  if (most !== undefined) return `, at most ${number(most)}${after}`;
  return '';
}

/** The fields of a body or record, or those of each of its forms. */
export function renderFields(document: OpenApiDocument, schema: JsonSchema): Html {
  const resolved = resolveSchema(document, schema);
  const { properties, required, items, anyOf, description } = resolved;
  if (anyOf) return html`${anyOf.map((form) => [html`<p>${renderType(form)}</p>`, renderFields(document, form)])}`;
  if (items) {
    return html`<p>A ${renderType(resolved)}. ${renderInline(description ?? '')}</p>
      ${renderFields(document, items)}`;
  }
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) return html`<p>Its form: ${renderType(resolved)}.</p>`;
  return html`<dl class="fields">
    ${fields.map(([name, field]) => renderField(name, field, required?.includes(name) ?? false))}
  </dl>`;
}

export function renderField(name: string, field: JsonSchema, required: boolean, description = field.description): Html {
  const mark = required ? html`<span class="required">required</span>` : undefined;
  const about = description === undefined ? undefined : html`<span class="about">${renderInline(description)}</span>`;
  return html`<div>
    <dt><code>${name}</code> ${mark}</dt>
    <dd><span class="type">${renderType(field)}</span>${about}</dd>
  </div>`;
}
