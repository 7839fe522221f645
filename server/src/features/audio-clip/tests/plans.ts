import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';

/** A statement as it was sent to the database. */
export interface Sent {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

/** A pool like a node's, which also records what it sends. */
export function openCapturing(url: string): { db: Pool; sent: Sent[] } {
  const sent: Sent[] = [];
  const db = connect(url, {
    connections: 1,
    name: 'earshot tests',
    onSend: ({ composed, values }) =>
      void sent.push({
        text: composed.text,
        parameters: values.map((value) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)),
      }),
  });
  return { db, sent };
}

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const large = new Set([
  'audio_clips',
  'audio_clip_tags',
  'captions',
  'caption_search',
  'clip_recordings',
  'device_health',
  'events',
  'log_messages',
  'postbacks',
]);

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The faults of a plan: it reads a large table completely, or sorts or discards too many rows. */
export function faultsOf(plan: PlanNode, mostRows: number): readonly string[] {
  return nodesOf(plan).flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table = '' } = node;
    const sorted = type.endsWith('Sort') ? Math.max(...(node.Plans ?? []).map((child) => child['Actual Rows'])) : 0;
    const thrownAway = (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];
    return [
      ...(type === 'Seq Scan' && large.has(table) ? [`a sequential scan of ${table}`] : []),
      ...(sorted > mostRows ? [`a sort of ${sorted} rows, where ${mostRows} are allowed`] : []),
      ...(large.has(table) && thrownAway > mostRows ? [`${thrownAway} rows of ${table} read and discarded`] : []),
    ];
  });
}

/** How many rows of the large tables a plan reads, including discarded ones. */
export const rowsRead = (plan: PlanNode): number =>
  nodesOf(plan)
    .filter(({ 'Relation Name': table = '' }) => large.has(table))
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    .reduce((sum, rows) => sum + rows, 0);

/** A line for each node, such as `Index Scan using devices_pkey on devices: 1 rows, 20 times`. */
const describePlan = (node: PlanNode, depth = 0): string => {
  const { 'Node Type': type, 'Index Name': index, 'Relation Name': table } = node;
  const place = `${index === undefined ? '' : ` using ${index}`}${table === undefined ? '' : ` on ${table}`}`;
  const line = `${'  '.repeat(depth)}${type}${place}: ${node['Actual Rows']} rows, ${node['Actual Loops']} times`;
  return [line, ...(node.Plans ?? []).map((child) => describePlan(child, depth + 1))].join('\n');
};

const literal = (value: string | null): string => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`);

/**
 * Runs the statement with the plan for these values, and with the generic plan: PostgreSQL switches to the latter when
 * a statement was sent often. Changes are rolled back.
 */
export async function explain(db: Pool, { text, parameters }: Sent, mode: 'custom' | 'generic') {
  const values = parameters.length > 0 ? `(${parameters.map(literal).join(', ')})` : '';
  const undo = new Error('taken back');
  let plan: PlanNode | undefined;
  await db
    .begin(async (tx) => {
      await tx.unsafe(`set local plan_cache_mode = force_${mode}_plan`);
      await tx.unsafe(`prepare explained as ${text}`);
      const [row] = await tx.unsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
        `explain (analyze, timing off, buffers off, summary off, format json) execute explained${values}`,
      );
      plan = row?.['QUERY PLAN'][0].Plan;
      await tx.unsafe('deallocate explained');
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  await db.unsafe('deallocate all');
  if (!plan) throw new Error('there is no plan');
  return { plan, lines: describePlan(plan) };
}
