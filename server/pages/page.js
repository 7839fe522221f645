/**
 * The part of the page that its markup promises.
 * @template {HTMLElement} [Part=HTMLElement]
 * @param {string} id
 * @returns {Part}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page lacks #${id}`);
  return /** @type {Part} */ (found);
}
