import type { Replacement } from './mutate-sql.ts';
import { mutateSql } from './mutate-sql.ts';

/** A node of the syntax tree, as ESTree has it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

type Rule = (node: SyntaxNode, parent: SyntaxNode | undefined, source: string) => Replacement[];

/** The small changes of a node itself, not of its children. */
export function replaceNode(node: SyntaxNode, parent: SyntaxNode | undefined, source: string): Replacement[] {
  return rules[node.type]?.(node, parent, source) ?? [];
}

const swappedOperators: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

const swappedMethods: Record<string, string> = {
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Calls that return the list that they are called on, but for some of its items or in another order. */
const droppedMethods = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed']);

const rules: Record<string, Rule> = {
  BinaryExpression: (node, _parent, source) => (isText(node) ? [] : swapOperator(node, source)),
  AssignmentExpression: (node, _parent, source) => swapOperator(node, source),
  LogicalExpression(node, _parent, source) {
    const [left, right] = [textOf(node['left'], source), textOf(node['right'], source)];
    // Only the default: that it is sometimes not needed says nothing where types ask for one.
    if (node['operator'] === '??') return [replace(node, right)];
    return [...swapOperator(node, source), replace(node, left), replace(node, right)];
  },
  IfStatement: (node) => replaceTest(node, ['true', 'false']),
  ConditionalExpression: (node) => replaceTest(node, ['true', 'false']),
  // Not true: most loops would not end, which says nothing about their condition.
  WhileStatement: (node) => replaceTest(node, ['false']),
  ForStatement: (node) => replaceTest(node, ['false']),
  UnaryExpression: (node, _parent, source) =>
    node['operator'] === '!' ? [replace(node, textOf(node['argument'], source))] : [],
  Literal: (node, parent) => replaceLiteral(node, parent),
  ArrayExpression: (node) => ((node['elements'] as unknown[]).length > 0 ? [replace(node, '[]')] : []),
  CallExpression: (node, _parent, source) => replaceCall(node, source),
  ExpressionStatement: (node, _parent, source) =>
    node['directive'] || source.startsWith('super(', node.start) ? [] : [replace(node, ';')],
  ReturnStatement: (node) => (node['argument'] === null ? [replace(node, ';')] : []),
  ThrowStatement: (node) => [replace(node, ';')],
  ContinueStatement: (node) => [replace(node, ';')],
  BreakStatement: (node) => [replace(node, ';')],
  TaggedTemplateExpression: (node, _parent, source) => {
    const { quasis } = node['quasi'] as { quasis: SyntaxNode[] } & SyntaxNode;
    return quasis.flatMap(({ start, end }) => mutateSql(source.slice(start, end), start));
  },
  FunctionDeclaration: emptyBody,
  FunctionExpression: emptyBody,
  ArrowFunctionExpression: emptyBody,
};

const replace = ({ start, end }: SyntaxNode, text: string): Replacement => ({ start, end, text });

function textOf(node: unknown, source: string): string {
  const { start, end } = node as SyntaxNode;
  return source.slice(start, end);
}

function swapOperator(node: SyntaxNode, source: string): Replacement[] {
  const operator = node['operator'] as string;
  const text = swappedOperators[operator];
  if (text === undefined) return [];
  const start = source.indexOf(operator, (node['left'] as SyntaxNode).end);
  return [{ start, end: start + operator.length, text }];
}

/** Whether `+` joins texts here. */
function isText(node: SyntaxNode): boolean {
  return [node['left'], node['right']].some((side) => {
    const { type, value } = side as SyntaxNode;
    return node['operator'] === '+' && (type === 'TemplateLiteral' || typeof value === 'string');
  });
}

const replaceTest = (node: SyntaxNode, texts: readonly string[]): Replacement[] =>
  node['test'] === null ? [] : texts.map((text) => replace(node['test'] as SyntaxNode, text));

function replaceLiteral(node: SyntaxNode, parent: SyntaxNode | undefined): Replacement[] {
  if (parent?.type === 'Property' && parent['key'] === node) return [];
  const { value } = node;
  if (typeof value === 'boolean') return [replace(node, String(!value))];
  if (typeof value === 'string') return value === '' ? [] : [replace(node, `''`)];
  if (typeof value !== 'number') return [];
  // One more than a large number is a difference that nobody asked for.
  const next = Number.isInteger(value) && value < 100 ? [replace(node, String(value + 1))] : [];
  return value === 0 ? next : [...next, replace(node, String(value * 30))];
}

function replaceCall(node: SyntaxNode, source: string): Replacement[] {
  const callee = node['callee'] as SyntaxNode;
  if (callee.type !== 'MemberExpression') return [];
  const whole = swappedMethods[textOf(callee, source)];
  if (whole !== undefined) return [replace(callee, whole)];
  const property = callee['property'] as SyntaxNode;
  const method = textOf(property, source);
  if (droppedMethods.has(method)) return [replace(node, textOf(callee['object'], source))];
  const swapped = swappedMethods[method];
  return swapped === undefined ? [] : [replace(property, swapped)];
}

function emptyBody(node: SyntaxNode): Replacement[] {
  const body = node['body'] as SyntaxNode | null;
  if (body?.type !== 'BlockStatement' || (body['body'] as unknown[]).length === 0) return [];
  return [replace(body, '{}')];
}
