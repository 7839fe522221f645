import { createOpenApiDocument } from '@earshot/contract/openapi';
import type { OpenApiDocument } from '@earshot/contract/openapi-document';
import { gatewayList, operationList } from '@earshot/contract/operations';
import { recorderGuides } from '@earshot/contract/recorder-guides';
import { describe, expect, test } from 'vitest';
import { renderApiPage } from './api-page.ts';
import { escapeHtml } from '../../platform/html.ts';

const operations = [...operationList, ...gatewayList];
const look = { style: '/assets/style-1.css', themeScript: '/assets/theme-1.js' };
const page = renderApiPage(createOpenApiDocument({ version: '1.2.3', operations }), look);

const attributes = (name: string, of = page) =>
  [...of.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value!);

/** The HTML of one operation. */
function article(id: string): string {
  const start = page.indexOf(`<article class="operation" id="${id}"`);
  return page.slice(start, page.indexOf('</article>', start));
}

describe('the API page', () => {
  test('holds every operation, with an anchor of its name and a link to it', () => {
    const ids = new Set(attributes('id'));
    const links = new Set(attributes('href'));
    for (const [name, { path, method, summary }] of operations) {
      expect(ids).toContain(name);
      expect(links).toContain(`#${name}`);
      const text = article(name);
      expect(text).toContain(escapeHtml(summary));
      expect(text).toContain(`>${method}</span> <code>${path}</code>`);
    }
  });

  test('has no link to a missing anchor', () => {
    const ids = attributes('id');
    expect(ids.length).toBe(new Set(ids).size);
    const missing = attributes('href').filter((link) => link.startsWith('#') && !ids.includes(link.slice(1)));
    expect(missing).toEqual([]);
  });

  test('loads nothing from other servers, and has no inline scripts or styles', () => {
    for (const address of [...attributes('src'), ...attributes('href')]) expect(address).toMatch(/^(#|\/(?!\/))/);
    expect(page).not.toMatch(/<style|style="|<script(?![^>]* src="\/(pages|assets)\/)/);
    expect(page).not.toMatch(/ on[a-z]+="/);
  });

  test('looks like the console, and leads back to it and to the documentation', () => {
    expect(attributes('href')).toEqual(expect.arrayContaining([look.style, '/pages/style.css', '/', '/docs/']));
    // The theme is applied before the first paint: a classic script, before the styles.
    expect(page.indexOf(`<script src="${look.themeScript}">`)).toBeGreaterThan(0);
    expect(page.indexOf(look.themeScript)).toBeLessThan(page.indexOf(look.style));
    expect(page).toContain('Back to the console');
  });

  test('has an anchor for every error response', () => {
    const ids = attributes('id');
    for (const status of [400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 415, 416, 419, 429, 431, 500, 501, 503]) {
      expect(ids).toContain(`error-${status}`);
    }
  });

  test('shows the fields of a body with their types, limits and descriptions', () => {
    const text = article('createDevice');
    expect(text).toContain('<code>deviceSerial</code> <span class="required">required</span>');
    expect(text).toContain('text, 1 to 64 characters');
    expect(text).toContain('whole number, 1 to 36,500, or null');
    expect(text).toContain('UTC when missing.');
  });

  test('shows all forms of a body', () => {
    const text = article('patchAgent');
    expect(text).toContain('at most 100 entries');
    expect(text).toContain('<code>fieldName</code>');
    expect(text).toContain('<code>op</code>');
  });

  test('shows the responses and errors of an operation', () => {
    expect(article('getDevice')).toContain('200: <a href="#schema-Device">Device</a>');
    expect(article('deleteDevice')).toContain('without a body');
    expect(article('getDevice')).toContain('<a href="#error-404">404</a>');
    expect(article('registerAgent')).toContain(
      '400: The request is malformed or a value is invalid. The response is a string',
    );
  });

  test('explains how recorders are configured, with the address of the page', () => {
    const guide = page.slice(page.indexOf('<section id="recorders"'), page.indexOf('<section id="values"'));
    for (const { id, name } of recorderGuides({ origin: '', secret: '' })) {
      expect(guide).toContain(`<h3 id="recorder-${id}">${name}</h3>`);
    }
    const origin = '<span data-origin>http://127.0.0.1:8080</span>';
    expect(guide).toContain(`${origin}/api/call-upload</code>`);
    expect(guide).toContain(`&quot;server&quot;: &quot;${origin}&quot;`);
    expect(guide).toContain(`${origin}/openmhz&quot;`);
    expect(guide.replaceAll(origin, '')).not.toContain('127.0.0.1');
  });

  test('shows the form and the answers of an interface for recorders', () => {
    const text = article('uploadRdioCall');
    expect(text).toContain('<span class="access">upload key</span>');
    expect(text).toContain('Form (<code>multipart/form-data</code>)');
    expect(text).toContain('<code>talkgroup</code> <span class="required">required</span>');
    expect(text).toMatch(
      /<code>audio<\/code> <span class="required">required<\/span><\/dt>\s*<dd><span class="type">bytes/,
    );
    expect(text).toContain('200: <code>Call imported successfully.</code>');
    expect(text).toContain('417: <code>Incomplete call data: …</code>');
    expect(text).not.toContain('#error-');
    expect(text).toContain(escapeHtml(`-F "key=$UPLOAD_KEY"`));
    expect(text).toContain('-F audio=@call.wav');
  });
});

describe('text from the document', () => {
  const hostile = `"><img src=x onerror=alert(1)><script>alert('1')</script>`;
  const written = JSON.stringify(createOpenApiDocument({ version: hostile, operations }))
    .replaceAll('"deviceSerial"', JSON.stringify(hostile))
    .replaceAll('/v1/agenttype/list', `/v1/${JSON.stringify(hostile).slice(1, -1)}`);
  const document = JSON.parse(written, (key, value: unknown) => {
    if (key === 'examples') return [hostile];
    return typeof value === 'string' && ['summary', 'description', 'operationId', 'example'].includes(key)
      ? hostile
      : value;
  }) as OpenApiDocument;

  test('is always escaped', () => {
    const text = renderApiPage(document, look);
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain("<script>alert('1')");
    expect(attributes('onerror', text)).toEqual([]);
    expect(text.split(escapeHtml(hostile)).length).toBeGreaterThan(500);
  });
});
