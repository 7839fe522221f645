import type { Static } from 'typebox';
import { Type } from 'typebox';
import { clearable, oneOf, shortTextLength } from './values.ts';

export const jsonPatchNames = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

/** What a write-only key may do: `test` and `copy` read a value, `move` and `remove` take one away. */
export const settingPatchNames: readonly string[] = ['add', 'replace'];

const JsonPatchOperation = Type.Object(
  {
    op: oneOf(...jsonPatchNames),
    path: Type.String({ maxLength: shortTextLength, examples: ['/agentDescription'] }),
    from: Type.Optional(clearable(Type.String({ maxLength: shortTextLength }))),
    value: Type.Optional(Type.Unknown({ examples: ['North gate'] })),
  },
  {
    title: 'JsonPatchOperation',
    description:
      'One operation of JSON Patch (RFC 6902). A failed `test`, and a `remove`, `copy` or `move` of a field ' +
      'that is not set, refuse the whole patch: 409. So does a copied value that does not fit its new field. ' +
      '`add` and `replace` set a field whether or not it was set.',
  },
);
export type JsonPatchOperation = Static<typeof JsonPatchOperation>;

/** An operation that is valid in both formats is JSON Patch, which ignores unknown members. */
export const isJsonPatch = (operation: object): operation is JsonPatchOperation =>
  'op' in operation &&
  (jsonPatchNames as readonly unknown[]).includes(operation.op) &&
  'path' in operation &&
  typeof operation.path === 'string';

const FieldPatchOperation = Type.Object(
  {
    fieldName: Type.String({ minLength: 1, maxLength: shortTextLength, examples: ['agentDescription'] }),
    value: Type.Optional(Type.Unknown({ examples: ['North gate'] })),
  },
  {
    title: 'FieldPatchOperation',
    description:
      'Sets one field. The case of the name is ignored; a value may be given as text; a missing value or `null` clears the field.',
  },
);
export type FieldPatchOperation = Static<typeof FieldPatchOperation>;

/** Both formats that clients in the field send, even mixed in one array. */
export const Patch = Type.Array(
  Type.Union([JsonPatchOperation, FieldPatchOperation], {
    description: 'either {op, path, value} as in JSON Patch (RFC 6902), or {fieldName, value}',
  }),
  { maxItems: 100, description: 'All operations are applied, in order, or none.' },
);
export type Patch = Static<typeof Patch>;
