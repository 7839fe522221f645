/** @typedef {{ path: string, message: string }} FieldError */

/** A refusal of the server in words for people, or its silence (status 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} text
   * @param {FieldError[]} [errors]
   */
  constructor(status, text, errors = []) {
    super(text);
    this.status = status;
    this.errors = errors;
  }

  get endsSession() {
    return this.status === 401 || this.status === 419;
  }
}

/** @typedef {<Answer>(method: string, path: string, body?: unknown) => Promise<Answer>} Call */
/** @typedef {{ detail?: string, errors?: FieldError[] }} Problem */

/**
 * @template [Answer=unknown]
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<Answer>} the answer's JSON, which is trusted to be what the contract promises
 */
export async function callApi(method, path, body) {
  /** @type {Response} */
  let response;
  /** @type {string} */
  let text;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch {
    throw new ApiError(0, 'The server does not answer. Check that it is running, then try again.');
  }
  const answer = parse(text);
  if (response.ok) return /** @type {Answer} */ (answer);
  const problem = /** @type {Problem | undefined} */ (answer);
  throw new ApiError(response.status, explain(response, problem), problem?.errors);
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parse(text) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    // A proxy in between may answer with a page of its own.
    return undefined;
  }
}

/**
 * @param {Response} response
 * @param {Problem | undefined} problem
 * @returns {string}
 */
function explain({ status, headers }, problem) {
  const seconds = Number(headers.get('Retry-After'));
  if (status === 429 && seconds > 0) return `Too many attempts. Try again in ${wait(seconds)}.`;
  return problem?.detail ?? `The server answered with an error (${status}).`;
}

/** @param {number} seconds */
function wait(seconds) {
  if (seconds >= 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}
