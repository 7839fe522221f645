import { announce } from './page.js';

/**
 * Copies the text of an element; where the browser does not allow it (plain HTTP), selects it to be copied by hand.
 * @param {HTMLElement} element
 */
export async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '');
    announce('Copied.');
  } catch {
    getSelection()?.selectAllChildren(element);
    announce('Selected: press Ctrl+C or ⌘C to copy.');
  }
}
