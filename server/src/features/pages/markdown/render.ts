import type { Html } from '../../../platform/html.ts';
import { html } from '../../../platform/html.ts';
import type { Block, List } from './blocks.ts';
import { readBlocks } from './blocks.ts';
import { makeSlugs } from './slug.ts';
import type { MarkdownSpan } from './spans.ts';
import { readSpans, textOfSpans } from './spans.ts';
import type { Table } from './table.ts';

export interface RenderRules {
  /** Where a link of the text leads; undefined: nowhere, so that only its text is shown. */
  readonly link: (href: string) => string | undefined;
  readonly image: (source: string) => string | undefined;
  /** Code of at most so many characters is not broken at the end of a line. */
  readonly shortCode: number;
}

/** For texts that lie on a page of their own: links to anchors and to other sites. */
const plainRules: RenderRules = {
  link: (href) => (/^(?:#|https?:\/\/)/.test(href) ? href : undefined),
  image: () => undefined,
  shortCode: 0,
};

export function renderMarkdown(text: string, rules: RenderRules = plainRules): Html {
  return renderBlocks(readBlocks(text), rules);
}

export function renderInline(text: string, rules: RenderRules = plainRules): Html {
  return renderSpans(readSpans(text), rules);
}

/** The headings of one call get anchors that differ. */
export function renderBlocks(blocks: readonly Block[], rules: RenderRules): Html {
  const slugOf = makeSlugs();
  return html`${blocks.map((block) => renderBlock(block, rules, slugOf))}`;
}

function renderBlock(block: Block, rules: RenderRules, slugOf: (heading: string) => string): Html {
  switch (block.kind) {
    case 'heading': {
      const spans = readSpans(block.text);
      return renderHeading(block.level, slugOf(textOfSpans(spans)), renderSpans(spans, rules));
    }
    case 'paragraph':
      return html`<p>${renderInline(block.text, rules)}</p>`;
    case 'code':
      return renderCode(block.text);
    case 'quote':
      return html`<blockquote>${block.blocks.map((inner) => renderBlock(inner, rules, slugOf))}</blockquote>`;
    case 'list':
      return renderList(block, rules, slugOf);
    case 'table':
      return renderTable(block, rules);
  }
}

/** Lines of code are wrapped. A drawing is not, and scrolls, also by the keyboard. */
const renderCode = (text: string): Html =>
  /[\u2500-\u257f]/.test(text)
    ? html`<pre class="drawing" role="region" aria-label="Drawing" tabindex="0"><code>${text}</code></pre>`
    : html`<pre><code>${text}</code></pre>`;

/** The heading of the page has no anchor: it is the page. */
function renderHeading(level: number, id: string, text: Html): Html {
  if (level === 1) return html`<h1 class="page-title">${text}</h1>`;
  if (level === 2) return html`<h2 id="${id}"><a href="#${id}">${text}</a></h2>`;
  if (level === 3) return html`<h3 id="${id}"><a href="#${id}">${text}</a></h3>`;
  return html`<h4 id="${id}"><a href="#${id}">${text}</a></h4>`;
}

function renderList({ start, items }: List, rules: RenderRules, slugOf: (heading: string) => string): Html {
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
function renderItem(blocks: readonly Block[], rules: RenderRules, slugOf: (heading: string) => string): Html {
  const [first, ...others] = blocks;
  if (first?.kind !== 'paragraph' || others.some(({ kind }) => kind !== 'list')) {
    return html`${blocks.map((block) => renderBlock(block, rules, slugOf))}`;
  }
  return html`${renderInline(first.text, rules)}${others.map((block) => renderBlock(block, rules, slugOf))}`;
}

/** The most columns that a phone shows as a table. Three are shown below each other there, and more scroll. */
const mostColumns = 2;
const mostStacked = 3;

function renderTable({ head, rows }: Table, rules: RenderRules): Html {
  const isStacked = head.length > mostColumns && head.length <= mostStacked;
  const table = html`<table class="${isStacked ? 'stacked' : 'plain'}">
    <thead>
      <tr>
        ${head.map((cell) => renderHeadCell(cell, rules))}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, index) => renderCell(cell, isStacked ? head[index] : undefined, rules))}
          </tr> `,
      )}
    </tbody>
  </table>`;
  if (head.length <= mostStacked) return table;
  return html`<div class="wide-table" role="region" aria-label="Table" tabindex="0">${table}</div>`;
}

/** A column without a name has a cell that is no heading. */
const renderHeadCell = (cell: string, rules: RenderRules): Html =>
  cell === '' ? html`<td></td>` : html`<th scope="col">${renderInline(cell, rules)}</th>`;

/** Cells below each other are named by their column. */
function renderCell(cell: string, column: string | undefined, rules: RenderRules): Html {
  const text = renderInline(cell, rules);
  if (column === undefined || column === '') return html`<td>${text}</td>`;
  return html`<td data-column="${textOfSpans(readSpans(column))}">${text}</td>`;
}

function renderSpans(spans: readonly MarkdownSpan[], rules: RenderRules): Html {
  return html`${spans.map((span) => renderSpan(span, rules))}`;
}

function renderSpan(span: MarkdownSpan, rules: RenderRules): Html {
  switch (span.kind) {
    case 'text':
      return html`${span.text}`;
    case 'code':
      return span.text.length <= rules.shortCode
        ? html`<code class="short">${span.text}</code>`
        : html`<code>${span.text}</code>`;
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
