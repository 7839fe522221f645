import { expect, test } from 'vitest';
import { asField, findContent } from '../whisper/protocol-buffers.ts';
import { addBranchOutput } from './branch-outputs.ts';

const text = (field: number, value: string) => asField(field, Buffer.from(value));
const output = (name: string) => asField(12, text(1, name));
const branch = (name: string) => asField(5, Buffer.concat([text(1, name), asField(6, output('logits'))]));

test('an inner value becomes an output of both branches, of the node and of the graph, after the others', () => {
  const other = asField(1, Buffer.concat([text(2, 'x'), text(4, 'Identity')]));
  const node = asField(1, Buffer.concat([text(2, 'logits'), text(4, 'If'), branch('then'), branch('else')]));
  const model = Buffer.concat([asField(7, Buffer.concat([other, node, output('logits')])), text(2, 'made by hand')]);

  const changed = addBranchOutput(model, 'attention');

  const changedBranch = (name: string) =>
    asField(5, Buffer.concat([text(1, name), asField(6, Buffer.concat([output('logits'), output('attention')]))]));
  const parts = [text(2, 'logits'), text(4, 'If'), changedBranch('then'), changedBranch('else'), text(2, 'attention')];
  const changedNode = asField(1, Buffer.concat(parts));
  expect(findContent(changed, 7)).toEqual(Buffer.concat([other, changedNode, output('logits'), output('attention')]));
  expect(findContent(changed, 2)?.toString()).toBe('made by hand');
});
