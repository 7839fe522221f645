import type { ConsoleLook } from '../console-look.ts';
import type { Html } from '../../../platform/html.ts';
import { html } from '../../../platform/html.ts';
import { readBlocks } from '../markdown/blocks.ts';
import type { Block } from '../markdown/blocks.ts';
import { renderBlocks } from '../markdown/render.ts';
import { makeSlugs } from '../markdown/slug.ts';
import { readSpans, textOfSpans } from '../markdown/spans.ts';
import { pageAddress, docsAddress, indexPath, rulesFor } from './addresses.ts';
import type { ContentsEntry, ContentsSection } from './contents.ts';
import { readingOrder } from './contents.ts';
import { titleOf } from './search-index.ts';

export interface DocsPage {
  /** Of the Markdown file; undefined for the page that says that there is none. */
  readonly path: string | undefined;
  readonly text: string;
}

export interface DocsFrame {
  readonly look: ConsoleLook;
  readonly sections: readonly ContentsSection[];
  /** Of all files of the documentation. */
  readonly paths: ReadonlySet<string>;
}

/** A page of the documentation. It works without scripts, except for the search. */
export function renderDocsPage({ path, text }: DocsPage, { look, sections, paths }: DocsFrame): string {
  const blocks = readBlocks(text);
  const { above, beside } = renderOnThisPage(headingsOf(blocks));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${titleOf(blocks)} · Earshot documentation</title>
        <link rel="icon" type="image/svg+xml" href="/pages/logo.svg" />
        <script src="${look.themeScript}"></script>
        <link rel="stylesheet" href="${look.style}" />
        <link rel="stylesheet" href="/pages/style.css" />
        <link rel="stylesheet" href="/pages/docs.css" />
        <script type="module" src="/pages/docs.js"></script>
      </head>
      <body class="reference docs">
        <a class="skip" href="#main">Skip to content</a>
        <div class="shell">
          <div class="side">${renderTop()} ${renderContents(path, sections)}</div>
          <main id="main" tabindex="-1">
            <section id="results" aria-label="Search results" hidden></section>
            <div id="page">
              <article>
                ${above} ${renderBlocks(blocks, rulesFor(path ?? indexPath, paths))} ${renderEnd(path, sections)}
              </article>
              ${beside}
            </div>
          </main>
        </div>
      </body>
    </html> `;
  return page.toString();
}

const renderTop = (): Html =>
  html`<header class="site">
      <a class="brand" href="${docsAddress}"><img src="/pages/logo.svg" alt="" width="28" height="28" />Earshot docs</a>
      <p class="elsewhere"><a href="/">Console</a> <a href="/api">API reference</a></p>
    </header>
    <form id="search" role="search" hidden>
      <label for="search-text">Search <kbd>/</kbd></label>
      <input id="search-text" class="input" type="search" autocomplete="off" spellcheck="false" />
      <p id="search-status" role="status" class="unseen"></p>
    </form>
    <nav class="all-pages" aria-label="Menu"><a href="#contents">All pages</a></nav>`;

function renderContents(path: string | undefined, sections: readonly ContentsSection[]): Html {
  return html`<nav class="contents" id="contents" aria-label="Pages" tabindex="-1">
    ${sections.map(
      ({ title, entries }) =>
        html`<p class="heading">${title}</p>
          <ul>
            ${entries.map((entry) => renderEntry(entry, path))}
          </ul>`,
    )}
  </nav>`;
}

/** The pages of a folder are listed while one of them is open: there are many decisions. */
function renderEntry(entry: ContentsEntry, current: string | undefined): Html {
  const isOpen = entry.path === current || entry.entries.some(({ path }) => path === current);
  const inner =
    isOpen && entry.entries.length > 0 ? entry.entries.map((each) => renderEntry(each, current)) : undefined;
  return html`<li>
    <a href="${pageAddress(entry.path)}" ${entry.path === current ? html`aria-current="page"` : undefined}
      >${entry.title}</a
    >
    ${
      inner &&
      html`<ul>
        ${inner}
      </ul>`
    }
  </li>`;
}

interface PageHeading {
  readonly level: number;
  readonly text: string;
  readonly slug: string;
}

function headingsOf(blocks: readonly Block[]): readonly PageHeading[] {
  const slugOf = makeSlugs();
  const headings = blocks.flatMap((block) => {
    if (block.kind !== 'heading') return [];
    const text = textOfSpans(readSpans(block.text));
    return [{ level: block.level, text, slug: slugOf(text) }];
  });
  return headings.filter(({ level }) => level === 2);
}

/** Beside the text where there is room, else above it, where it opens. */
function renderOnThisPage(headings: readonly PageHeading[]): { readonly above?: Html; readonly beside?: Html } {
  if (headings.length < 2) return {};
  const list = html`<ul>
    ${headings.map(({ text, slug }) => html`<li><a href="#${slug}">${text}</a></li>`)}
  </ul>`;
  return {
    above: html`<details class="on-page above">
      <summary>On this page</summary>
      ${list}
    </details>`,
    beside: html`<nav class="on-page beside" aria-label="On this page">
      <p class="heading">On this page</p>
      ${list}
    </nav>`,
  };
}

function renderEnd(path: string | undefined, sections: readonly ContentsSection[]): Html | undefined {
  if (path === undefined) return undefined;
  const order = readingOrder(sections);
  const at = order.findIndex((entry) => entry.path === path);
  const [before, after] = [order[at - 1], order[at + 1]];
  return html`<footer class="page-end">
    <nav aria-label="Previous and next page">
      ${before && html`<a class="before" href="${pageAddress(before.path)}"><span>Previous</span>${before.title}</a>`}
      ${after && html`<a class="after" href="${pageAddress(after.path)}"><span>Next</span>${after.title}</a>`}
    </nav>
    <p><a href="${docsAddress}${path}">This page as Markdown</a></p>
  </footer>`;
}
