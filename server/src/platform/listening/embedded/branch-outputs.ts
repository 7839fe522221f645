import { asField, rewrite } from '../whisper/protocol-buffers.ts';

/*
 * Adds an inner value of a merged decoder to its outputs. A merged decoder is a graph with one `If` node, whose branches
 * are the decoder without and with a cache. The value must be an output of both branches, of the node, and of the graph.
 *
 * In the file, field 7 is the graph; field 1 of a graph is a node, field 12 an output, whose field 1 is the name; field 2
 * of a node is an output, field 5 an attribute, and field 6 of an attribute is a graph, here a branch.
 */

const graphField = 7;
const nodeField = 1;
const outputField = 12;
const nameField = 1;
const nodeOutputField = 2;
const attributeField = 5;
const attributeGraphField = 6;

export function addBranchOutput(model: Buffer, name: string): Buffer {
  const named = Buffer.from(name);
  const graphOutput = asField(outputField, asField(nameField, named));
  return rewrite(model, (field, graph) => {
    if (field !== graphField) return graph;
    const changed = rewrite(graph, (inGraph, node) => {
      if (inGraph !== nodeField) return node;
      let hasBranches = false;
      const withOutputs = rewrite(node, (inNode, attribute) => {
        if (inNode !== attributeField) return attribute;
        return rewrite(attribute, (inAttribute, branch) => {
          if (inAttribute !== attributeGraphField) return branch;
          hasBranches = true;
          return Buffer.concat([branch, graphOutput]);
        });
      });
      return hasBranches ? Buffer.concat([withOutputs, asField(nodeOutputField, named)]) : node;
    });
    return Buffer.concat([changed, graphOutput]);
  });
}
