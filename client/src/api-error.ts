import type { Problem } from '@earshot/contract/problem';
import { readRetryAfter } from './retry-after.ts';

/** A call that the server refused, with the server's message. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem | undefined;
  readonly requestID: string | undefined;
  /** The time that the server asks to wait before a retry, at most ten minutes. */
  readonly retryAfterSeconds: number | undefined;

  private constructor(response: Response, text: string) {
    const problem = readProblem(response, text);
    super(problem?.detail ?? (text || `the server responded with status ${response.status}`));
    this.name = 'ApiError';
    this.status = response.status;
    this.problem = problem;
    this.requestID = response.headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = readRetryAfter(response.headers);
  }

  static from(response: Response, text: string): ApiError {
    return new ApiError(response, text);
  }
}

function readProblem(response: Response, text: string): Problem | undefined {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return undefined;
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return undefined;
  }
}
