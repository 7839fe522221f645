import { signal } from '@preact/signals';
import { isTransient, RetryTimer } from '../retry-timer.ts';

export interface TablePage<Row> {
  readonly results: readonly Row[];
  readonly total: number;
  readonly isExact: boolean;
  readonly next?: string;
}

export interface PageRequest {
  readonly count: number;
  readonly cursor?: string;
}

type LoadPage<Row> = (page: PageRequest) => Promise<TablePage<Row>>;

const [firstCount, mostCount] = [100, 1_000];

/** The rows of a table, loaded from its start as far as they are needed. */
export class RowsFeed<Row> {
  /** Changes with everything below. */
  readonly version = signal(0);
  rows: readonly Row[] = [];
  total = 0;
  isExact = true;
  isLoaded = false;
  error: unknown;
  load: LoadPage<Row>;
  private readonly keyOf: (row: Row) => number;
  private next: string | undefined;
  private loading: Promise<void> | undefined;
  private isShown = false;
  private readonly retrying = new RetryTimer(() => void this.reload());

  constructor(load: LoadPage<Row>, keyOf: (row: Row) => number) {
    this.load = load;
    this.keyOf = keyOf;
  }

  /** While it is shown, rows that could not be loaded are requested again. Call the result when it is shown no more. */
  show(): () => void {
    this.isShown = true;
    return () => {
      this.isShown = false;
      this.retrying.stop();
    };
  }

  get isWhole(): boolean {
    return this.isLoaded && this.next === undefined;
  }

  /** How long the table is, as far as it is known. */
  get length(): number {
    return this.isWhole ? this.rows.length : Math.max(this.total, this.rows.length);
  }

  /** Loads pages until there are so many rows. */
  async reach(count: number): Promise<void> {
    while (!this.isWhole && this.error === undefined && this.rows.length < count) await this.loadMore(count);
  }

  /** Loads as many rows again as there are. */
  async reload(): Promise<void> {
    await this.loading;
    const wanted = Math.max(firstCount, this.rows.length);
    await this.run(async () => {
      let page = await this.load({ count: Math.min(mostCount, wanted) });
      const rows = new Map(page.results.map((row) => [this.keyOf(row), row]));
      while (page.next !== undefined && rows.size < wanted) {
        page = await this.load({ count: Math.min(mostCount, wanted - rows.size), cursor: page.next });
        for (const row of page.results) rows.set(this.keyOf(row), row);
      }
      this.rows = [...rows.values()];
      this.take(page);
    });
  }

  /** Replaces rows that are shown. Those that are new or gone change nothing until the next load. */
  replace(rows: readonly Row[]): void {
    const byKey = new Map(rows.map((row) => [this.keyOf(row), row]));
    this.rows = this.rows.map((row) => byKey.get(this.keyOf(row)) ?? row);
    this.version.value += 1;
  }

  drop(keys: ReadonlySet<number>): void {
    const kept = this.rows.filter((row) => !keys.has(this.keyOf(row)));
    this.total -= this.rows.length - kept.length;
    this.rows = kept;
    this.version.value += 1;
  }

  private async loadMore(count: number): Promise<void> {
    if (this.loading) return this.loading;
    const wanted = Math.min(mostCount, Math.max(firstCount, count - this.rows.length));
    await this.run(async () => {
      const { next } = this;
      const page = await this.load({ count: wanted, ...(next === undefined ? {} : { cursor: next }) });
      const known = new Set(this.rows.map(this.keyOf));
      // A row whose value changed between two pages may come twice.
      this.rows = [...this.rows, ...page.results.filter((row) => !known.has(this.keyOf(row)))];
      this.take(page);
    });
  }

  private take({ total, isExact, next }: TablePage<Row>): void {
    this.total = total;
    this.isExact = isExact;
    this.next = next;
    this.isLoaded = true;
  }

  private async run(work: () => Promise<void>): Promise<void> {
    this.error = undefined;
    this.retrying.stop();
    this.loading = work().catch((error: unknown) => {
      this.error = error;
    });
    await this.loading;
    this.loading = undefined;
    if (this.error === undefined) this.retrying.reset();
    else if (this.isShown && isTransient(this.error)) this.retrying.start(this.error);
    this.version.value += 1;
  }
}
