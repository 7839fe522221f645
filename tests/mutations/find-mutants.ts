import { parseSync } from 'vite';
import type { Replacement } from './mutate-sql.ts';
import type { SyntaxNode } from './replace-node.ts';
import { replaceNode } from './replace-node.ts';

/** One small change of a source file. Tests that cover the file should fail with it. */
export interface Mutant extends Replacement {
  /** From the root of the repository. */
  readonly file: string;
  readonly source: string;
}

/** Every small change of a file that is still valid TypeScript. */
export function findMutants(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const replacements: Replacement[] = [];
  visit(program as unknown as SyntaxNode, undefined, source, replacements);
  const distinct = new Map(replacements.map((each) => [`${each.start} ${each.end} ${each.text}`, each]));
  return [...distinct.values()]
    .map((each) => ({ ...each, file, source }))
    .filter((mutant) => parseSync(file, applyMutant(mutant)).errors.length === 0);
}

export const applyMutant = ({ source, start, end, text }: Mutant) => source.slice(0, start) + text + source.slice(end);

function visit(node: SyntaxNode, parent: SyntaxNode | undefined, source: string, found: Replacement[]): void {
  if (isLeftOut(node, source)) return;
  found.push(...replaceNode(node, parent, source));
  for (const child of childrenOf(node)) visit(child, node, source, found);
}

/** These wrap an expression; all other nodes of TypeScript are types, which do nothing when the program runs. */
const wrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);
const logCall = /^(?:\w+\.)*log\.\w+$/;

/** Types, imports, lines of the log and the texts of errors decide nothing. */
function isLeftOut(node: SyntaxNode, source: string): boolean {
  if (node.type.startsWith('TS')) return !wrappers.has(node.type);
  if (node.type.startsWith('Import') || node.type === 'ExportAllDeclaration') return true;
  if (node.type === 'ExpressionStatement') return isLeftOut(node['expression'] as SyntaxNode, source);
  if (node.type !== 'CallExpression') return false;
  const callee = node['callee'] as SyntaxNode;
  return logCall.test(source.slice(callee.start, callee.end));
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  // The argument of `throw` makes an error: its texts are no decision.
  if (node.type === 'ThrowStatement') return [];
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
