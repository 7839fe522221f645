import { describe, expect, test } from 'vitest';
import { readBlocks } from './blocks.ts';
import { renderMarkdown } from './render.ts';

/** Without the white space between elements. */
const render = (text: string): string => renderMarkdown(text).toString().replaceAll(/>\s+</g, '><').trim();

describe('Markdown', () => {
  test.each([
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    [
      '`a < b` and **bold `x`** and *soft*',
      '<p><code>a &lt; b</code> and <strong>bold <code>x</code></strong> and <em>soft</em></p>',
    ],
    ['2 * 3 * 4, a_b_c and \\*plain\\*', '<p>2 * 3 * 4, a_b_c and *plain*</p>'],
    ['`` a ` b ``', '<p><code>a ` b</code></p>'],
    ['```sh\n# no heading\n\n- no list\n```', '<pre><code># no heading\n\n- no list</code></pre>'],
    ['text\n\n    indented\n\n    code', '<p>text</p><pre><code>indented\n\ncode</code></pre>'],
    ['- one\n  goes on\n- two\n\nafter', '<ul><li>one\ngoes on</li><li>two</li></ul><p>after</p>'],
    ['1. one\n2. two', '<ol start="1"><li>one</li><li>two</li></ol>'],
    ['in\n2026. No list', '<p>in\n2026. No list</p>'],
    ['- one\n  - inner\n- two', '<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>'],
    [
      '1. one\n\n   ```sh\n   code\n   ```\n\n2. two',
      '<ol start="1"><li><p>one</p><pre><code>code</code></pre></li><li>two</li></ol>',
    ],
    ['> note\n> more', '<blockquote><p>note\nmore</p></blockquote>'],
    ['a\n\n<!-- hidden\nstill -->\n\nb', '<p>a</p><p>b</p>'],
    ['text\n# Title', '<p>text</p><h1 class="page-title">Title</h1>'],
  ])('%j', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  test('tables have cells with code, also with bars', () => {
    expect(render('| a | |\n|---|---|\n| `x \\| y` | *z* |\n\nafter')).toBe(
      '<table class="plain"><thead><tr><th scope="col">a</th><td></td></tr></thead><tbody>' +
        '<tr><td><code>x | y</code></td><td><em>z</em></td></tr></tbody></table><p>after</p>',
    );
    expect(render('| a | `b` | c |\n|---|---|---|\n| 1 | 2 | 3 |')).toContain('<td data-column="b">2</td>');
    expect(render('| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |')).toContain('tabindex="0"');
  });

  test('headings have the anchors of GitHub, each once', () => {
    const text = '## A `b` & c_d\n## Twice\n## Twice\n### 1. The database';
    const ids = [...render(text).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['a-b--c_d', 'twice', 'twice-1', '1-the-database']);
  });

  test('everything is escaped, and only web addresses and anchors are linked', () => {
    expect(render('<script>alert(1)</script> & "x"')).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;</p>',
    );
    expect(render('[a](javascript:alert) [b](https://x.org/"y) [c](#d)')).toBe(
      '<p>a <a href="https://x.org/&quot;y" rel="noreferrer">b</a><a href="#d">c</a></p>',
    );
    expect(render('![<b>](x"y.png)')).toBe('<p>&lt;b&gt;</p>');
  });

  test('text without an end is text', () => {
    for (const text of ['`open', '**open', '[open](', '```\nopen', '- ', '|', '| a |', '>', '#', '####### seven']) {
      expect(() => render(text)).not.toThrow();
    }
    expect(readBlocks('```\nopen')).toEqual([{ kind: 'code', text: 'open' }]);
  });

  test('long text without an end is read at once', () => {
    for (const piece of ['`', '*', '[', '**a', '| ', '<!--', '![']) {
      expect(() => render(piece.repeat(5_000))).not.toThrow();
    }
  });
});
