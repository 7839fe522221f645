/** What is wrong or cannot be compared, and where: leaves from `from` to `to`, both included. */
export interface LogFault {
  readonly from?: number;
  readonly to?: number;
  readonly text: string;
}

/**
 * - verified: given the fingerprint and heads kept elsewhere, nothing was changed up to `verifiedSize`
 * - incomplete: nothing is wrong, but not all that was given could be compared (`gaps`)
 * - consistent: all parts of the export agree; somebody with the key could have written it again
 * - faulty: something was changed, is missing, or cannot be read
 */
export interface LogReport {
  readonly verdict: 'verified' | 'incomplete' | 'consistent' | 'faulty';
  readonly size: number;
  readonly verifiedSize: number;
  readonly headsCompared: number;
  readonly prunedCount: number;
  readonly fromBeforeCount: number;
  readonly faults: readonly LogFault[];
  readonly gaps: readonly LogFault[];
  readonly notes: readonly string[];
}

export const showLeaves = (from: number, to: number): string =>
  from === to ? `leaf ${from}` : `leaves ${from} to ${to}`;
