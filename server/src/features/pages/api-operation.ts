import type { Access } from '@earshot/contract/operation';
import type { OpenApiDocument, OperationObject, Reference, ResponseObject } from '@earshot/contract/openapi-document';
import { renderField, renderFields, renderType } from './api-schema.ts';
import { curlExample, formOf, resolveSchema } from './curl-example.ts';
import type { Html } from '../../platform/html.ts';
import { html } from '../../platform/html.ts';
import type { ListedOperation } from './listed-operation.ts';
import { renderInline, renderMarkdown } from './markdown/render.ts';

const accessNames: Readonly<Record<Access, string>> = {
  anyone: 'open',
  session: 'session',
  admin: 'admin',
  caller: 'key or session',
  agent: 'key, device key or session',
};

/** Interfaces of other programs have answers of their own, which the list of errors does not describe. */
const isGateway = ({ tags }: OperationObject): boolean => tags[0] === 'gateway';

export function renderOperation(document: OpenApiDocument, listed: ListedOperation): Html {
  const { path, method, operation } = listed;
  const { operationId, summary, description } = operation;
  const search = `${operationId} ${method} ${path} ${summary} ${operation.tags[0]}`.toLowerCase();
  return html`<article class="operation" id="${operationId}" data-search="${search}">
    <h3><a href="#${operationId}">${summary}</a></h3>
    <p class="endpoint">
      <span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
      <span class="access">${isGateway(operation) ? 'upload key' : accessNames[operation['x-access']]}</span>
    </p>
    ${renderMarkdown(description)} ${renderParameters(operation)} ${renderBody(document, operation)}
    ${renderAnswers(operation)}
    <h4>Example</h4>
    <pre><code>${curlExample(document, listed)}</code></pre>
  </article>`;
}

function renderParameters({ parameters = [] }: OperationObject): Html | undefined {
  if (parameters.length === 0) return undefined;
  const places = [
    ['In the path', parameters.filter((parameter) => parameter.in === 'path')],
    ['In the query', parameters.filter((parameter) => parameter.in === 'query')],
    ['In the headers', parameters.filter((parameter) => parameter.in === 'header')],
  ] as const;
  return html`${places
    .filter(([, some]) => some.length > 0)
    .map(
      ([heading, some]) =>
        html`<h4>${heading}</h4>
          <dl class="fields">
            ${some.map(({ name, schema, required, description }) => renderField(name, schema, required, description))}
          </dl>`,
    )}`;
}

function renderBody(document: OpenApiDocument, operation: OperationObject): Html | undefined {
  const { requestBody } = operation;
  const form = formOf(operation);
  if (form) {
    const { description } = resolveSchema(document, form);
    return html`<h4>Form (<code>multipart/form-data</code>)</h4>
      ${description === undefined ? undefined : html`<p>${renderInline(description)}</p>`}
      ${renderFields(document, form)}`;
  }
  const schema = requestBody?.content['application/json']?.schema;
  if (!requestBody || !schema) return undefined;
  return html`<h4>Body${requestBody.required ? undefined : ' (optional)'}</h4>
    ${renderFields(document, schema)}`;
}

const isReference = (response: ResponseObject | Reference): response is Reference => '$ref' in response;

function renderAnswers(operation: OperationObject): Html {
  const { responses } = operation;
  const answers = Object.entries(responses);
  if (isGateway(operation)) {
    return html`<h4>Answers</h4>
      ${answers.map(([status, response]) =>
        isReference(response) ? undefined : html`<p>${status}: ${renderInline(response.description)}</p>`,
      )}`;
  }
  const errors = answers.filter(([status]) => Number(status) >= 400);
  const others = answers.flatMap(([status, response]) =>
    status === '200' || Number(status) >= 400 || isReference(response)
      ? []
      : [html`<p>${status}: ${renderInline(response.description)}</p>`],
  );
  const own = errors.flatMap(([status, response]) =>
    isReference(response) ? [] : [html`<p>${status}: ${renderInline(response.description)}</p>`],
  );
  const links = errors.map(([status]) => html`<li><a href="#error-${status}">${status}</a></li>`);
  return html`<h4>Answer</h4>
    ${renderSuccess(responses['200'])} ${others}
    <h4>Errors</h4>
    <ul class="statuses">
      ${links}
    </ul>
    ${own}`;
}

function renderSuccess(response: ResponseObject | Reference | undefined): Html | undefined {
  if (!response || isReference(response)) return undefined;
  const media = Object.entries(response.content ?? {});
  const [first] = media;
  if (!first) return html`<p>200, without a body.</p>`;
  const types = media.map(([type], index) => html`${index === 0 ? undefined : ', '}<code>${type}</code>`);
  return html`<p>200: ${renderType(first[1].schema)}, as ${types}.</p>`;
}
