import { createOpenApiDocument } from '@earshot/contract/openapi';
import { operationList } from '@earshot/contract/operations';
import { compileRequest, createValidator } from '@earshot/contract/validation';
import { describe, expect, test } from 'vitest';
import { curlExample, exampleOf } from './curl-example.ts';
import type { ListedOperation } from './listed-operation.ts';
import { groupByTag } from './listed-operation.ts';

const document = createOpenApiDocument({ version: '0', operations: operationList });
const all = new Map(
  groupByTag(document).flatMap(({ operations }) => operations.map((listed) => [listed.operation.operationId, listed])),
);

describe('examples', () => {
  test('have valid bodies', () => {
    for (const [name, declared] of operationList) {
      const schema = all.get(name)!.operation.requestBody?.content['application/json']?.schema;
      if (!schema) continue;
      expect([name, compileRequest(declared, createValidator()).body!(exampleOf(document, schema))]).toEqual([
        name,
        undefined,
      ]);
    }
  });

  test('leave no placeholder in the path', () => {
    for (const listed of all.values())
      expect(curlExample(document, listed).split('\n -')[0]).not.toMatch(/\{[A-Za-z]+\}/);
  });

  test('use the credential that the operation accepts', () => {
    expect(curlExample(document, all.get('getHealth')!)).toBe('curl "$EARSHOT/healthz"');
    expect(curlExample(document, all.get('getDevice')!)).toBe('curl -u "$ACCESS:$SECRET" "$EARSHOT/v1/device/1"');
    expect(curlExample(document, all.get('listApiKeys')!)).toBe('curl -b cookies.txt "$EARSHOT/v1/apikey/list"');
  });

  test('have the headers of an upload', () => {
    expect(curlExample(document, all.get('appendUpload')!)).toBe(
      [
        'curl -X PATCH -u "$ACCESS:$SECRET"',
        '"$EARSHOT/v1/upload/1"',
        "-H 'Tus-Resumable: 1.0.0'",
        "-H 'Upload-Offset: 0'",
        "-H 'Content-Type: application/offset+octet-stream'",
        '-T dawn.flac',
      ].join(' \\\n  '),
    );
  });

  test('quote values for the shell and the URL', () => {
    const listed: ListedOperation = {
      path: '/v1/x/{name}',
      method: 'post',
      operation: {
        ...all.get('createDevice')!.operation,
        parameters: [
          { name: 'name', in: 'path', required: true, schema: {}, example: 'a/b"$(c)' },
          { name: 'all', in: 'query', required: false, schema: {}, example: true },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { properties: { text: { examples: ["it's"] } } } } },
        },
      },
    };
    const line = curlExample(document, listed);
    expect(line).toContain('"$EARSHOT/v1/x/a%2Fb%22%24(c)?all=true"');
    expect(line).toContain(String.raw`-d '{"text":"it'\''s"}'`);
  });
});

test('a binary body is sent from a file, and a HEAD request uses -I', () => {
  const lineOf = (path: string, method: 'put' | 'head') => {
    const operation = document.paths[path]?.[method];
    if (!operation) throw new Error(`${method} ${path} is not in the document`);
    return curlExample(document, { path, method, operation });
  };
  expect(lineOf('/v1/audioclip/{audioClipID}/content', 'put')).toMatch(/^curl -X PUT .* -T dawn\.flac$/s);
  expect(lineOf('/v1/file/{fileID}/upload', 'head')).toMatch(/^curl -I [\\\s]*"/);
});
