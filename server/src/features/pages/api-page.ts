import type { JsonSchema, OpenApiDocument } from '@earshot/contract/openapi-document';
import { introduction } from '@earshot/contract/openapi-texts';
import { guideSections, renderGuide } from './api-guide.ts';
import { renderOperation } from './api-operation.ts';
import { renderFields } from './api-schema.ts';
import type { ConsoleLook } from './console-look.ts';
import type { Html } from '../../platform/html.ts';
import { html } from '../../platform/html.ts';
import type { TagGroup } from './listed-operation.ts';
import { groupByTag } from './listed-operation.ts';
import { renderInline } from './markdown/render.ts';

/** The API reference as one page that works without scripts. */
export function renderApiPage(document: OpenApiDocument, { style, themeScript }: ConsoleLook): string {
  const groups = groupByTag(document);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>API reference · ${document.info.title}</title>
        <link rel="icon" type="image/svg+xml" href="/pages/logo.svg" />
        <script src="${themeScript}"></script>
        <link rel="stylesheet" href="${style}" />
        <link rel="stylesheet" href="/pages/style.css" />
        <script type="module" src="/pages/api.js"></script>
      </head>
      <body class="reference">
        <a class="skip" href="#main">Skip to content</a>
        <div class="shell">
          <div class="side">
            <header class="site">
              <a class="brand" href="/"><img src="/pages/logo.svg" alt="" width="28" height="28" />Earshot</a>
              <a class="nav-link" href="/">${backIcon}<span>Back to the console</span></a>
              <p class="elsewhere"><a href="/docs/">Documentation</a></p>
            </header>
            ${renderNavigation(groups)}
          </div>
          <main id="main" tabindex="-1">
            <h1 class="page-title">API reference</h1>
            <p class="lead">${introduction}</p>
            <p>
              Version ${document.info.version}. The same as OpenAPI 3.1, for generators and tools:
              <a href="/openapi.json">openapi.json</a>.
            </p>
            ${renderGuide()} ${groups.map((group) => renderGroup(document, group))} ${renderRecords(document)}
          </main>
        </div>
      </body>
    </html> `;
  return page.toString();
}

const backIcon = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
  <path d="M12 4.5 6.5 10l5.5 5.5" />
</svg>`;

function renderNavigation(groups: readonly TagGroup[]): Html {
  const guide = guideSections.map(([id, heading]) => html`<li><a href="#${id}">${heading}</a></li>`);
  return html`<nav class="contents" aria-label="Contents">
    <form id="filter" role="search" hidden>
      <label for="filter-text">Filter operations</label>
      <input id="filter-text" class="input" type="search" autocomplete="off" spellcheck="false" />
      <p id="filter-result" role="status"></p>
    </form>
    <p class="heading">Guide</p>
    <ul>
      ${guide}
      <li><a href="#records">Records</a></li>
    </ul>
    ${groups.map(renderGroupLinks)}
  </nav>`;
}

function renderGroupLinks({ name, operations }: TagGroup): Html {
  const links = operations.map(
    ({ operation, method }) =>
      html`<li data-operation="${operation.operationId}">
        <a href="#${operation.operationId}"
          ><span class="method ${method}">${method.toUpperCase()}</span> ${operation.summary}</a
        >
      </li>`,
  );
  return html`<div class="tag-links">
    <p class="heading"><a href="#tag-${name}">${name}</a></p>
    <ul>
      ${links}
    </ul>
  </div>`;
}

function renderGroup(document: OpenApiDocument, { name, description, operations }: TagGroup): Html {
  return html`<section class="tag" id="tag-${name}">
    <h2><a href="#tag-${name}">${name}</a></h2>
    <p>${renderInline(description)}</p>
    ${operations.map((operation) => renderOperation(document, operation))}
  </section>`;
}

function renderRecords(document: OpenApiDocument): Html {
  return html`<section class="records" id="records">
    <h2><a href="#records">Records</a></h2>
    ${Object.entries(document.components.schemas).map(([name, schema]) => renderRecord(document, name, schema))}
  </section>`;
}

function renderRecord(document: OpenApiDocument, name: string, schema: JsonSchema): Html {
  const about = schema.description === undefined ? undefined : html`<p>${renderInline(schema.description)}</p>`;
  return html`<article id="schema-${name}">
    <h3><a href="#schema-${name}">${name}</a></h3>
    ${about}${renderFields(document, schema)}
  </article>`;
}
