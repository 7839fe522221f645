import { expect } from 'vitest';
import type { Answer } from './send.ts';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Checks the format of an error, and returns its content. */
export function expectProblem(answer: Answer, status: number, instance?: string): Problem {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  const problem = answer.json as Problem;
  const known = new Set(['type', 'title', 'status', 'detail', 'instance', 'errors']);
  expect(Object.keys(problem).filter((name) => !known.has(name))).toEqual([]);
  expect(problem).toMatchObject({
    type: `/api#error-${status}`,
    title: expect.stringMatching(/./) as string,
    status,
    detail: expect.stringMatching(/./) as string,
    instance: instance ?? (expect.stringMatching(/^\//) as string),
  });
  return problem;
}

/** The fields that a 400 names as invalid. */
export function wrongFields(answer: Answer): readonly string[] {
  return (expectProblem(answer, 400).errors ?? []).map(({ path }) => path);
}
