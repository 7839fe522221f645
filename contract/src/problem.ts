import type { Static } from 'typebox';
import { Type } from 'typebox';

/** RFC 9457, the format of every error. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'Where this kind of error is explained.' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What is wrong with this request, and what to do.' }),
    instance: Type.String({ format: 'uri-reference', description: 'The path of the request.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'The field, such as `audioClips[3].startTime`.' }),
          message: Type.String(),
        }),
        { description: 'The invalid fields of the request.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'An error (RFC 9457).' },
);
export type Problem = Static<typeof Problem>;

export const problemMedia = 'application/problem+json';
