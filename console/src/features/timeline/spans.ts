/** Sorted time spans that do not overlap, with the covered time before each. */
export class Spans {
  readonly count: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  private readonly before: Float64Array;

  private constructor(starts: Float64Array, ends: Float64Array, count: number) {
    this.count = count;
    this.starts = starts;
    this.ends = ends;
    this.before = new Float64Array(count + 1);
    for (let index = 0; index < count; index += 1) {
      this.before[index + 1] = this.before[index]! + ends[index]! - starts[index]!;
    }
  }

  /** Builds spans from times that are sorted by start and may overlap; `isWanted` selects them. */
  static of(starts: Float64Array, ends: Float64Array, isWanted: (index: number) => boolean): Spans {
    const froms = new Float64Array(starts.length);
    const tos = new Float64Array(starts.length);
    let count = 0;
    for (let index = 0; index < starts.length; index += 1) {
      if (!isWanted(index)) continue;
      const start = starts[index]!;
      const end = ends[index]!;
      if (count > 0 && start <= tos[count - 1]!) {
        if (end > tos[count - 1]!) tos[count - 1] = end;
      } else {
        froms[count] = start;
        tos[count] = end;
        count += 1;
      }
    }
    return new Spans(froms, tos, count);
  }

  /** Number of spans that start at or before a time. An exponential search from the guess. */
  begun(time: number, guess = 0): number {
    const { starts, count } = this;
    let low = guess > 0 && guess <= count && starts[guess - 1]! <= time ? guess : 0;
    let step = 1;
    while (low + step <= count && starts[low + step - 1]! <= time) {
      low += step;
      step *= 2;
    }
    let high = Math.min(count, low + step);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Covered time before a time; `begun` is the number of spans that start at or before it. */
  private until(time: number, begun: number): number {
    if (begun === 0) return 0;
    return this.before[begun - 1]! + Math.min(time, this.ends[begun - 1]!) - this.starts[begun - 1]!;
  }

  covered(from: number, to: number): number {
    return this.until(to, this.begun(to)) - this.until(from, this.begun(from));
  }

  /** Writes the covered share of each column, starting at a time. A span without length counts as a tiny share. */
  shares(from: number, perColumn: number, shares: Float32Array): void {
    let begun = this.begun(from);
    let covered = this.until(from, begun);
    for (let column = 0; column < shares.length; column += 1) {
      const to = from + (column + 1) * perColumn;
      const next = this.begun(to, begun);
      const coveredTo = this.until(to, next);
      const share = (coveredTo - covered) / perColumn;
      shares[column] = share === 0 && next > begun ? Number.EPSILON : share;
      begun = next;
      covered = coveredTo;
    }
  }
}
