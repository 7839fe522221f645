import type { TSchema } from 'typebox';

type Shape = (value: unknown) => unknown;

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
}

/**
 * Compiles a function that writes a value as JSON by its schema: exactly the declared fields, without unset ones (null
 * or undefined), dates in ISO 8601 with milliseconds.
 */
export function compileSerialiser(schema: TSchema): (value: unknown) => string {
  const shape = shapeOf(schema);
  return (value) => JSON.stringify(shape(value));
}

function shapeOf(schema: JsonSchema): Shape {
  if (schema.type === 'array' && schema.items) {
    const item = shapeOf(schema.items);
    return (value) => (value as unknown[]).map(item);
  }
  if (schema.type === 'object' && schema.properties && schema.additionalProperties !== true) {
    return objectShape(schema.properties);
  }
  return (value) => value;
}

function objectShape(properties: Record<string, JsonSchema>): Shape {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    shape: schema.type === 'array' || schema.type === 'object' ? shapeOf(schema) : undefined,
  }));
  return (value) => {
    const from = value as Record<string, unknown>;
    const to: Record<string, unknown> = {};
    for (const { name, shape } of fields) {
      const field = from[name];
      if (field !== null && field !== undefined) to[name] = shape ? shape(field) : field;
    }
    return to;
  };
}
