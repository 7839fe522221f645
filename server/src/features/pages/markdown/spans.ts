/** A part of a line: text, or text with a meaning. */
export type MarkdownSpan =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly spans: readonly MarkdownSpan[] }
  | { readonly kind: 'link'; readonly href: string; readonly spans: readonly MarkdownSpan[] }
  | { readonly kind: 'image'; readonly source: string; readonly text: string };

const forms = [
  /(?<!`)(?<ticks>`+)(?!`)(?<code>.+?)(?<!`)\k<ticks>(?!`)/s,
  /!\[(?<alt>[^\]]*)\]\((?<source>[^()\s]+)\)/,
  /\[(?<label>(?:[^[\]`]|`[^`]*`)+)\]\((?<href>[^()\s]+)\)/,
  /<(?<address>https?:\/\/[^<>\s]+)>/,
  /\*\*(?<strong>[^\s*](?:`[^`]*`|[^*`]|\*(?!\*))*)\*\*/,
  /(?<![*\w])\*(?<emphasis>[^\s*][^*]*)\*(?![*\w])/,
  /\\(?<escaped>[!-/:-@[-`{-~])/,
];
const anyForm = new RegExp(forms.map(({ source }) => source).join('|'), 'gs');

/** Reads the inline Markdown of the documentation: code, links, images, bold, emphasis and escapes. */
export function readSpans(text: string): readonly MarkdownSpan[] {
  const spans: MarkdownSpan[] = [];
  let end = 0;
  for (const match of text.matchAll(anyForm)) {
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) });
    spans.push(spanOf(match.groups ?? {}));
    end = match.index + match[0].length;
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) });
  return spans;
}

function spanOf(found: Readonly<Record<string, string | undefined>>): MarkdownSpan {
  const { code, source, alt = '', label, href, address, strong, emphasis, escaped = '' } = found;
  if (code !== undefined) return { kind: 'code', text: trimCode(code) };
  if (source !== undefined) return { kind: 'image', source, text: alt };
  if (label !== undefined && href !== undefined) return { kind: 'link', href, spans: readSpans(label) };
  if (address !== undefined) return { kind: 'link', href: address, spans: [{ kind: 'text', text: address }] };
  if (strong !== undefined) return { kind: 'strong', spans: readSpans(strong) };
  if (emphasis !== undefined) return { kind: 'emphasis', spans: readSpans(emphasis) };
  return { kind: 'text', text: escaped };
}

/** One space on each side separates the code from backticks that belong to it. */
const trimCode = (code: string): string => (/^ .*\S.* $/s.test(code) ? code.slice(1, -1) : code);

export function textOfSpans(spans: readonly MarkdownSpan[]): string {
  return spans.map((span) => ('spans' in span ? textOfSpans(span.spans) : span.text)).join('');
}
