import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { Block, List } from './blocks.ts';
import { readBlocks } from './blocks.ts';
import { makeSlugs } from './slug.ts';
import type { Span } from './spans.ts';
import { readSpans, textOfSpans } from './spans.ts';
import type { Table } from './table.ts';

/** Where the links and images of a text lead; undefined: nowhere, so that only their text is shown. */
export interface LinkRules {
  readonly link: (href: string) => string | undefined;
  readonly image: (source: string) => string | undefined;
}

/** For texts that lie on a page of their own: links to anchors and to other sites. */
const plainLinks: LinkRules = {
  link: (href) => (/^(?:#|https?:\/\/)/.test(href) ? href : undefined),
  image: () => undefined,
};

export function renderMarkdown(text: string, rules: LinkRules = plainLinks): Html {
  return renderBlocks(readBlocks(text), rules);
}

export function renderInline(text: string, rules: LinkRules = plainLinks): Html {
  return renderSpans(readSpans(text), rules);
}

/** The headings of one call get anchors that differ. */
export function renderBlocks(blocks: readonly Block[], rules: LinkRules): Html {
  const slugOf = makeSlugs();
  return html`${blocks.map((block) => renderBlock(block, rules, slugOf))}`;
}

function renderBlock(block: Block, rules: LinkRules, slugOf: (heading: string) => string): Html {
  switch (block.kind) {
    case 'heading': {
      const spans = readSpans(block.text);
      return renderHeading(block.level, slugOf(textOfSpans(spans)), renderSpans(spans, rules));
    }
    case 'paragraph':
      return html`<p>${renderInline(block.text, rules)}</p>`;
    case 'code':
      return html`<pre><code>${block.text}</code></pre>`;
    case 'quote':
      return html`<blockquote>${block.blocks.map((inner) => renderBlock(inner, rules, slugOf))}</blockquote>`;
    case 'list':
      return renderList(block, rules, slugOf);
    case 'table':
      return renderTable(block, rules);
  }
}

/** The heading of the page has no anchor: it is the page. */
function renderHeading(level: number, id: string, text: Html): Html {
  if (level === 1) return html`<h1 class="page-title">${text}</h1>`;
  if (level === 2) return html`<h2 id="${id}"><a href="#${id}">${text}</a></h2>`;
  if (level === 3) return html`<h3 id="${id}"><a href="#${id}">${text}</a></h3>`;
  return html`<h4 id="${id}"><a href="#${id}">${text}</a></h4>`;
}

function renderList({ start, items }: List, rules: LinkRules, slugOf: (heading: string) => string): Html {
  const written = items.map((blocks) => html`<li>${renderItem(blocks, rules, slugOf)}</li> `);
  if (start === undefined)
    return html`<ul>
      ${written}
    </ul>`;
  return html`<ol start="${start}">
    ${written}
  </ol>`;
}

/** An item of one paragraph, with or without a list below it, needs no space around its text. */
function renderItem(blocks: readonly Block[], rules: LinkRules, slugOf: (heading: string) => string): Html {
  const [first, ...others] = blocks;
  if (first?.kind !== 'paragraph' || others.some(({ kind }) => kind !== 'list')) {
    return html`${blocks.map((block) => renderBlock(block, rules, slugOf))}`;
  }
  return html`${renderInline(first.text, rules)}${others.map((block) => renderBlock(block, rules, slugOf))}`;
}

/** More columns than a phone has room for: the table scrolls, also by the keyboard. */
const mostColumns = 3;

function renderTable({ head, rows }: Table, rules: LinkRules): Html {
  const table = html`<table>
    <thead>
      <tr>
        ${head.map((cell) => renderHeadCell(cell, rules))}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${renderInline(cell, rules)}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table>`;
  if (head.length <= mostColumns) return table;
  return html`<div class="wide-table" role="region" aria-label="Table" tabindex="0">${table}</div>`;
}

/** A column without a name has a cell that is no heading. */
const renderHeadCell = (cell: string, rules: LinkRules): Html =>
  cell === '' ? html`<td></td>` : html`<th scope="col">${renderInline(cell, rules)}</th>`;

function renderSpans(spans: readonly Span[], rules: LinkRules): Html {
  return html`${spans.map((span) => renderSpan(span, rules))}`;
}

function renderSpan(span: Span, rules: LinkRules): Html {
  switch (span.kind) {
    case 'text':
      return html`${span.text}`;
    case 'code':
      return html`<code>${span.text}</code>`;
    case 'strong':
      return html`<strong>${renderSpans(span.spans, rules)}</strong>`;
    case 'emphasis':
      return html`<em>${renderSpans(span.spans, rules)}</em>`;
    case 'link':
      return renderLink(rules.link(span.href), renderSpans(span.spans, rules));
    case 'image': {
      const source = rules.image(span.source);
      return source === undefined ? html`${span.text}` : html`<img src="${source}" alt="${span.text}" />`;
    }
  }
}

function renderLink(href: string | undefined, text: Html): Html {
  if (href === undefined) return text;
  return /^https?:/.test(href)
    ? html`<a href="${href}" rel="noreferrer">${text}</a>`
    : html`<a href="${href}">${text}</a>`;
}
