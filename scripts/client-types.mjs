// Writes the types of the contract out as plain TypeScript declarations, for the published client. They need neither
// the contract nor the library of its schemas, and editors show the descriptions of operations and fields.

/** Declares a named type for each schema with a title, when it is first used. */
export function createTypeWriter() {
  const declared = new Map();

  const typeOf = (schema) => {
    if (schema === undefined) return 'undefined';
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if ('const' in schema) return JSON.stringify(schema.const);
    if (schema.anyOf) return union(schema.anyOf.map(typeOf));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
    if (schema.type === 'object' && schema.title) return declare(schema.title, schema);
    if (schema.type === 'object') return objectType(schema);
    if (schema.type === 'array') return `readonly (${typeOf(schema.items)})[]`;
    return plainTypes[schema.type] ?? 'unknown';
  };

  const declare = (title, schema) => {
    const text = JSON.stringify(schema);
    const known = declared.get(title);
    if (known && known.text !== text) throw new Error(`Two schemas have the title ${title}: rename one of them.`);
    if (!known) {
      const entry = { text, declaration: '' };
      declared.set(title, entry);
      entry.declaration = `${comment(schema.description, '')}export interface ${title} ${objectType(schema)}`;
    }
    return title;
  };

  const objectType = ({ properties = {}, required = [], additionalProperties }) => {
    const fields = Object.entries(properties).map(([name, schema]) => {
      const optional = required.includes(name) ? '' : '?';
      return `${comment(schema.description, '  ')}  readonly ${quoted(name)}${optional}: ${typeOf(schema)};\n`;
    });
    const rest = additionalProperties ? '  readonly [name: string]: unknown;\n' : '';
    return `{\n${fields.join('')}${rest}}`;
  };

  return { typeOf, objectType, declarations: () => [...declared.values()].map(({ declaration }) => declaration) };
}

const plainTypes = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };
const union = (types) => [...new Set(types)].join(' | ');
const quoted = (name) => (/^\w+$/.test(name) ? name : JSON.stringify(name));

function comment(text, indent) {
  if (!text) return '';
  return `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', `\n${indent} * `)} */\n`;
}

/** The interface with a method for each operation. */
export function clientInterface(operationList, { typeOf, objectType }) {
  const methods = operationList.map(([name, operation]) => {
    const { input, isOptional } = inputOf(operation, typeOf, objectType);
    const answer = operation.bytes === 'sent' ? 'Response' : answerOf(operation, typeOf);
    const about = [operation.summary, operation.description, `\`${operation.method} ${operation.path}\``];
    const text = comment(about.filter(Boolean).join('\n\n'), '  ');
    const first = input === '' ? 'input?: Record<never, never>' : `input${isOptional ? '?' : ''}: ${input}`;
    return `${text}  ${name}(${first}, options?: CallOptions): Promise<${answer}>;\n`;
  });
  return `/** A method for every operation of the API. */\nexport interface Client {\n${methods.join('')}}`;
}

const answerOf = ({ answer }, typeOf) => (answer === undefined ? 'undefined' : typeOf(answer));

function inputOf({ params, query, headers, body, bytes }, typeOf, objectType) {
  const has = (schema) => Object.keys(schema.properties).length > 0;
  const parts = [
    has(params) && `readonly params: ${objectType(params)}`,
    has(query) && `readonly query?: ${objectType(query)}`,
    has(headers) && bytes !== 'sent' && `readonly headers?: ${objectType(headers)}`,
    bytes === 'sent' && 'readonly headers?: Readonly<Record<string, string>>',
    bytes === 'received' ? 'readonly body: ByteBody' : body !== undefined && `readonly body: ${typeOf(body)}`,
  ].filter(Boolean);
  return {
    input: parts.length === 0 ? '' : `{ ${parts.join('; ')} }`,
    isOptional: !parts.some((part) => !part.includes('?: ')),
  };
}
