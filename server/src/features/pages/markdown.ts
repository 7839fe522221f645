import type { Html } from './html.ts';
import { html } from './html.ts';

/** Renders the Markdown that the contract's texts use: paragraphs, flat lists, `code` and **bold**. */
export function renderMarkdown(text: string): Html {
  return html`${text.split(/\n{2,}/).map(renderBlock)}`;
}

function renderBlock(block: string): Html {
  const lines = block.split('\n');
  if (lines.every((line) => line.startsWith('- '))) {
    return html`<ul>
      ${lines.map((line) => html`<li>${renderInline(line.slice(2))}</li>`)}
    </ul>`;
  }
  return html`<p>${renderInline(block)}</p>`;
}

export function renderInline(text: string): Html {
  return html`${text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(renderSpan)}`;
}

function renderSpan(span: string): Html {
  if (/^`[^`]+`$/.test(span)) return html`<code>${span.slice(1, -1)}</code>`;
  if (/^\*\*[^*]+\*\*$/.test(span)) return html`<strong>${span.slice(2, -2)}</strong>`;
  return html`${span}`;
}
