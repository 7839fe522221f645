import { expect, test } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';
import { operation, readsOnly } from './operation.ts';

test('a status of success other than 200 is described with its headers', () => {
  const declared = operation('device', {
    method: 'POST',
    path: '/v1/thing',
    summary: 'Make',
    access: 'caller',
    acts: [],
    bytes: 'received',
    bytesType: 'application/offset+octet-stream',
    bytesOptional: true,
    success: { status: 201, text: 'Created.' },
    answerHeaders: { Location: 'Where it is.' },
    trail: readsOnly,
  });
  const document = createOpenApiDocument({ version: '0', operations: [['make', declared]] });
  const { responses, requestBody } = document.paths['/v1/thing']!.post!;
  expect(responses).not.toHaveProperty('200');
  expect(responses['201']).toMatchObject({
    description: 'Created.',
    headers: { Location: { description: 'Where it is.', schema: { type: 'string' } } },
  });
  expect(requestBody).toMatchObject({
    required: false,
    content: { 'application/offset+octet-stream': { schema: { format: 'binary' } } },
  });
});
