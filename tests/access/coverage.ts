import type { Operation } from '@earshot/contract/operation';
import type { Kinds, OperationList, Row, Target } from './plan.ts';
import { isOpenToWriteOnly } from './plan.ts';

type Check = readonly [missing: string, isThere: (row: Row) => boolean];

/** The rows that the table must have for an operation, independent of the code that makes the table. */
function checksOf(operation: Operation, kinds: Kinds): readonly Check[] {
  if (operation.access === 'anyone') {
    return [
      ['an answer without credentials', ({ credential, answer }) => credential === 'nobody' && !isRefusal(answer, 403)],
    ];
  }
  return [
    ['no credential', (row) => row.credential === 'nobody' && isRefusal(row.answer, 401)],
    ['an expired session', (row) => row.credential === 'expired session' && isRefusal(row.answer, 419)],
    ['a deleted API key', (row) => row.credential === 'deleted key' && isRefusal(row.answer, 401)],
    ['a key of another device', (row) => row.credential === 'other device key'],
    [
      'a write-only key',
      (row) => row.credential === 'write-only key' && isRefusal(row.answer, 403) !== isOpenToWriteOnly(operation),
    ],
    ...(operation.writeOnlyKeys === 'sets'
      ? [
          [
            'a write-only key with a patch that reads',
            ({ credential, answer, body }: Row) =>
              credential === 'write-only key' && body !== undefined && isRefusal(answer, 403),
          ] as const,
        ]
      : []),
    ['a caller who is not refused', ({ answer }) => answer === 'success' || isRefusal(answer, 501)],
    ...operation.acts.flatMap((_act, index) => actChecks(operation, index, kinds)),
    ...listChecks(operation),
  ];
}

function actChecks({ acts, access }: Operation, index: number, kinds: Kinds): readonly Check[] {
  const act = acts[index]!;
  const gives = kinds[act.record]?.gives;
  const tries = (target: Target, status: number) => (row: Row) =>
    row.targets[index] === target && isRefusal(row.answer, status);
  const checks: Check[] = [[`an unknown record in ${act.by}`, tries('unknown', act.hidden ?? 404)]];
  // If the operation requires an admin, a member is refused before the record is looked up.
  if (access === 'admin') return checks;
  if (gives?.('none') === 'none')
    checks.push([`another member's record in ${act.by}`, tries('none', act.hidden ?? 404)]);
  if (act.right !== 'read' && gives?.('read') === 'read') {
    checks.push([`a reader's record in ${act.by}`, tries('read', act.denied ?? 403)]);
  }
  return checks;
}

const listChecks = ({ lists }: Operation): readonly Check[] =>
  lists ? [['a check of the listed records', (row) => row.listed !== undefined]] : [];

const isRefusal = (answer: Row['answer'], status: number): boolean => answer !== 'success' && answer.includes(status);

/** The rows that are missing from the table. */
export function uncovered(operations: OperationList, rows: readonly Row[], kinds: Kinds): readonly string[] {
  return operations.flatMap(([name, operation]) => {
    const own = rows.filter((row) => row.operation === name);
    return checksOf(operation, kinds)
      .filter(([, isThere]) => !own.some(isThere))
      .map(([missing]) => `${name}: nothing tries ${missing}`);
  });
}
