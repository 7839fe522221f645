/** Safe markup: made only by `html`, which escapes all values. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type HtmlContent = Html | string | number | undefined | readonly HtmlContent[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);

/** Attribute values must be quoted in the template, because escaping does not cover unquoted ones. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlContent[]): Html {
  return new Html(strings.map((text, index) => (index === 0 ? text : write(values[index - 1]) + text)).join(''));
}

function write(value: HtmlContent): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(write).join('');
  return escapeHtml(String(value));
}
