import type { TProperties } from 'typebox';
import type { readsOnly, Trail } from './operation.ts';
import type { onceHeaders, Repetition } from './repetition.ts';
import { idempotencyHeader } from './repetition.ts';

/** Every operation that can change something says what the trail gets from it, and a POST what its repetition does. */
export type Recorded =
  | { readonly method: 'GET' | 'HEAD' | 'OPTIONS'; readonly trail?: Trail; readonly repetition?: undefined }
  | { readonly method: 'POST'; readonly trail: typeof readsOnly; readonly repetition?: undefined }
  | { readonly method: 'POST'; readonly trail: Trail; readonly repetition: Exclude<Repetition, 'adds'> }
  | {
      readonly method: 'POST';
      readonly trail: Trail;
      readonly headers: typeof onceHeaders;
      readonly repetition?: undefined;
    }
  | {
      readonly method: 'PUT' | 'PATCH' | 'DELETE';
      readonly trail: Trail;
      readonly repetition?: 'harmless' | 'differs';
    };

export function repetitionOf({
  method,
  headers,
  repetition,
}: { readonly headers?: TProperties } & Recorded): Repetition {
  if (headers && idempotencyHeader in headers) return 'adds';
  return repetition ?? (method === 'PATCH' || method === 'DELETE' ? 'differs' : 'harmless');
}
