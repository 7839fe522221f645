/** Connects the buttons that show a password as it is typed. */
export function connectPasswordButtons() {
  for (const button of document.querySelectorAll('button[data-shows]')) {
    const input = document.getElementById(button.getAttribute('data-shows') ?? '');
    if (!(input instanceof HTMLInputElement)) continue;
    button.addEventListener('click', () => {
      const shown = input.type === 'text';
      input.type = shown ? 'password' : 'text';
      button.setAttribute('aria-pressed', String(!shown));
      button.textContent = shown ? 'Show' : 'Hide';
    });
  }
}

const least = 8;
const most = 256;

/**
 * Marks the hint of a new password once the password keeps the rule.
 * @param {HTMLInputElement} input
 * @param {HTMLElement} hint
 */
export function connectPasswordHint(input, hint) {
  const rule = hint.textContent ?? '';
  input.addEventListener('input', () => {
    const length = [...input.value].length;
    const met = length >= least && length <= most;
    hint.classList.toggle('met', met);
    hint.textContent = met ? `✓ ${rule}` : rule;
  });
}
