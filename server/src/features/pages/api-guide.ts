import { errorTexts } from '@earshot/contract/error-texts';
import {
  basicText,
  credentialsText,
  errorsText,
  limitsText,
  repetitionText,
  sessionText,
  signedText,
  valuesText,
} from '@earshot/contract/openapi-texts';
import type { RecorderGuide } from '@earshot/contract/recorder-guides';
import { recorderGuides, recorderIntroduction } from '@earshot/contract/recorder-guides';
import type { Html } from '../../platform/html.ts';
import { html } from '../../platform/html.ts';
import { renderInline, renderMarkdown } from './markdown/render.ts';
import { signExample } from './signed-example.ts';

export const guideSections = [
  ['credentials', 'Credentials', renderCredentials],
  ['recorders', 'Recorders', renderRecorders],
  ['values', 'Values', () => renderMarkdown(valuesText)],
  ['limits', 'Limits', () => renderMarkdown(limitsText)],
  ['errors', 'Errors', renderErrors],
  ['sending-again', 'Sending again', () => renderMarkdown(repetitionText)],
] as const;

export function renderGuide(): Html {
  return html`${guideSections.map(
    ([id, heading, render]) =>
      html`<section id="${id}" class="guide">
        <h2><a href="#${id}">${heading}</a></h2>
        ${render()}
      </section>`,
  )}`;
}

/** The script of the page writes the address of the page here. */
const originExample = 'http://127.0.0.1:8080';
const originSpan = html`<span data-origin>${originExample}</span>`;

/** Text in which the address of the server follows the page. */
const withOrigin = (text: string): Html =>
  html`${text.split(originExample).map((part, index) => (index === 0 ? part : html`${originSpan}${part}`))}`;

const signInLine = `curl -c cookies.txt "$EARSHOT/v1/session" \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.org","password":"correct horse battery staple"}'`;

function renderCredentials(): Html {
  return html`${renderMarkdown(credentialsText)}
    <p>The examples on this page take the server and the key from the shell:</p>
    <pre><code>EARSHOT=${originSpan}
ACCESS=… SECRET=…</code></pre>
    <h3 id="basic">HTTP Basic</h3>
    ${renderMarkdown(basicText)}
    <h3 id="signed">Signed request</h3>
    ${renderMarkdown(signedText)} ${renderSignedExample()}
    <h3 id="session">Web session</h3>
    ${renderMarkdown(sessionText)}
    <pre><code>${signInLine}
curl -b cookies.txt "$EARSHOT/v1/session"</code></pre>`;
}

function renderSignedExample(): Html {
  const { method, path, body, secretKey, headers, textToSign } = signExample();
  const curl = [
    `curl -X ${method} "$EARSHOT${path}"`,
    `-H 'Content-Type: application/json'`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    `-d '${body}'`,
  ].join(' \\\n  ');
  return html`<p>
      For example, with the secret key <code>${secretKey}</code>, this is the text to sign. The blank line is the part
      of the query, which this request does not have:
    </p>
    <pre><code>${textToSign}</code></pre>
    <p>Its signature is <code class="long">${headers['X-Signature']}</code>, and the request:</p>
    <pre><code>${curl}</code></pre>`;
}

function renderErrors(): Html {
  const entries = Object.entries(errorTexts).map(
    ([status, { phrase, explanation }]) =>
      html`<div id="error-${status}">
        <dt><a href="#error-${status}">${status}</a> ${phrase}</dt>
        <dd>${renderInline(explanation)}</dd>
      </div>`,
  );
  return html`${renderMarkdown(errorsText)}
    <dl class="errors">${entries}</dl>`;
}

function renderRecorders(): Html {
  const guides = recorderGuides({ origin: originExample, secret: 'your-upload-key' });
  return html`<p>
      ${recorderIntroduction} In these configurations, replace <code>your-upload-key</code> with the secret of your key.
      The recorder must be able to reach the address of the server.
    </p>
    ${guides.map(renderRecorder)}`;
}

function renderRecorder({ id, name, steps, configurations, note }: RecorderGuide): Html {
  return html`<h3 id="recorder-${id}">${name}</h3>
    ${renderMarkdown(steps)}
    ${configurations.map(({ label, text, isBlock }) =>
      isBlock
        ? html`<pre><code>${withOrigin(text)}</code></pre>`
        : html`<p>${label}: <code>${withOrigin(text)}</code></p>`,
    )}
    ${note === undefined ? undefined : renderMarkdown(note)}`;
}
