import type { Operation } from '@earshot/contract/operation';
import type { RecordKind } from '@earshot/contract/record-kind';

/** The kind of record that a parameter of the path names. */
export function kindOf(operation: Operation, param: string): RecordKind {
  const act = operation.acts.find(({ by }) => by === `params.${param}`);
  if (!act) throw new Error(`${operation.path} does not declare what ${param} names`);
  return act.record;
}
