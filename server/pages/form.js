import { ApiError } from './call-api.js';
import { part, showText } from './page.js';

/**
 * Sends a form by script, and shows what is wrong beside the field it is about.
 * @param {HTMLFormElement} form
 * @param {(values: Record<string, string>) => Promise<void>} send
 * @param {(failure: ApiError) => string | undefined} [explain] better words for a refusal, where the page has them
 */
export function connectForm(form, send, explain = () => undefined) {
  // The browser's own bubbles would speak in another voice, one field at a time.
  form.noValidate = true;
  const submit = /** @type {HTMLButtonElement} */ (form.querySelector('button[type=submit]'));
  let sending = false;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    clearProblems(form);
    if (showProblems(form, findProblems(form))) return;
    sending = true;
    submit.setAttribute('aria-disabled', 'true');
    try {
      await send(readValues(form));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      showFailure(form, failure, explain(failure));
    } finally {
      sending = false;
      submit.removeAttribute('aria-disabled');
    }
  });
}

/** @param {HTMLFormElement} form */
const inputsOf = (form) => [...form.querySelectorAll('input')];

/** @param {HTMLFormElement} form */
function readValues(form) {
  return Object.fromEntries(
    inputsOf(form).map(({ name, value, dataset }) => [name, dataset.exact === undefined ? value.trim() : value]),
  );
}

/** @param {HTMLFormElement} form */
function findProblems(form) {
  return inputsOf(form).flatMap((input) => {
    const least = Number(input.dataset.least ?? 0);
    if (input.required && input.value.trim() === '') return [{ path: input.name, message: 'is required' }];
    if ([...input.value].length < least) {
      return [{ path: input.name, message: `must have at least ${least} characters` }];
    }
    return [];
  });
}

/** @param {HTMLFormElement} form */
function clearProblems(form) {
  showText(alertOf(form));
  for (const input of inputsOf(form)) {
    input.removeAttribute('aria-invalid');
    showText(part(`${input.id}-problem`));
  }
}

/** @param {HTMLFormElement} form */
const alertOf = (form) => /** @type {HTMLElement} */ (form.querySelector('.alert'));

/**
 * @param {HTMLFormElement} form
 * @param {import('./call-api.js').FieldError[]} problems
 * @returns {boolean} whether a field of this form has one
 */
function showProblems(form, problems) {
  const wrong = inputsOf(form).filter((input) => {
    const problem = problems.find(({ path }) => path === input.name);
    if (!problem) return false;
    input.setAttribute('aria-invalid', 'true');
    // The contract's words are Markdown; here they stand as plain text.
    showText(part(`${input.id}-problem`), `${labelOf(input)} ${problem.message.replaceAll('`', '')}.`);
    return true;
  });
  wrong[0]?.focus();
  return wrong.length > 0;
}

/** @param {HTMLInputElement} input */
const labelOf = (input) => input.labels?.[0]?.firstChild?.textContent?.trim() ?? input.name;

/**
 * @param {HTMLFormElement} form
 * @param {ApiError} failure
 * @param {string | undefined} words
 */
function showFailure(form, failure, words) {
  const shown = showProblems(form, failure.errors);
  const names = new Set(inputsOf(form).map(({ name }) => name));
  const elsewhere = failure.errors.some(({ path }) => !names.has(path));
  if (!shown || elsewhere) showText(alertOf(form), words ?? failure.message);
}
