/** Times that are covered, apart from each other and in order, with how much is covered before each. */
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

  /** From times sorted by their start, which may overlap: only those that are wanted. */
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

  /** How many spans begin at or before this time; the search begins at a guess and doubles its steps. */
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

  /** How much is covered before this time, of which so many spans have begun. */
  private until(time: number, begun: number): number {
    if (begun === 0) return 0;
    return this.before[begun - 1]! + Math.min(time, this.ends[begun - 1]!) - this.starts[begun - 1]!;
  }

  covered(from: number, to: number): number {
    return this.until(to, this.begun(to)) - this.until(from, this.begun(from));
  }

  /** For each of the columns from a time on, which share of it is covered. A moment without length counts a little. */
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
