import { RowLayout } from './row-layout.ts';

/** The rows that are rendered; `last` is the one after them. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** A row that was requested. It stays in its place while rows are measured, unless the person scrolls. */
interface Pin {
  readonly row: number;
  /** Distance from the top of the screen. */
  readonly top: number;
}

export type EstimateHeight = (row: number, width: number) => number;

/** Screens above and below the screen that are rendered, and that are left when more rows are rendered. */
const spareScreens = 0.6;
const leastSpareScreens = 0.3;
/** A requested place is shown first, and what is above and below it in the next frame: two short tasks. */
const firstSpareScreens = 0.05;
export const firstRows = 12;
/** How long a requested row keeps its place while rows are measured. */
const pinnedMs = 500;

/** Where the rows of a list are on the screen. Renders nothing: `rendered` is called after the rows were rendered. */
export class RowsView {
  private list: HTMLElement | undefined;
  private shown: RowRange = { first: 0, last: 0 };
  private count = 0;
  private estimate: EstimateHeight | undefined;
  private layout: RowLayout | undefined;
  private width = 0;
  /** The row at the top of the screen: what is above it is corrected for. */
  private topRow = 0;
  private pinned: Pin | undefined;
  private unpinTimer: ReturnType<typeof setTimeout> | undefined;

  /** Before the rows are rendered: other rows have other heights. */
  setRows(count: number, estimate: EstimateHeight): void {
    const areSame = this.estimate === estimate;
    this.count = count;
    this.estimate = estimate;
    if (!areSame) this.forgetHeights();
  }

  rendered(list: HTMLElement, shown: RowRange): void {
    this.list = list;
    this.shown = shown;
    if (this.width === 0) {
      this.width = list.clientWidth;
      this.layout = undefined;
    }
    this.settle();
  }

  resized(): void {
    if (!this.isDisplayed()) return;
    if (this.list!.clientWidth !== this.width) {
      // Lines break elsewhere.
      this.forgetHeights();
      this.width = this.list!.clientWidth;
    }
    this.settle();
  }

  /** The range to render now: the one that is rendered, as long as it is enough. */
  findRange(): (was: RowRange) => RowRange {
    if (!this.isDisplayed()) return (was) => was;
    const from = this.pinned ? this.rows.topOf(this.pinned.row) - this.pinned.top : -this.listTop();
    this.topRow = this.rows.rowAt(from);
    const needed = this.rangeAt(from, leastSpareScreens);
    return (was) => {
      const isEnough = was.first <= needed.first && was.last >= Math.min(needed.last, this.count);
      const isFar = was.last - was.first > 4 * (needed.last - needed.first) + firstRows;
      return isEnough && !isFar ? was : this.rangeAt(from, spareScreens);
    };
  }

  /** Pins a row, and returns the range to render first. */
  request(row: number, top: number): (was: RowRange) => RowRange {
    this.pin({ row, top });
    const range = this.rangeAt(this.rows.topOf(row) - top, firstSpareScreens);
    this.topRow = row;
    return (was) => (was.first <= range.first && was.last >= range.last ? was : range);
  }

  unpin(): void {
    clearTimeout(this.unpinTimer);
    this.pinned = undefined;
  }

  private get rows(): RowLayout {
    return (this.layout ??= new RowLayout(this.count, (row) => this.estimate!(row, this.width)));
  }

  /** Rows of a hidden list, such as on paper, have no height and are not measured. */
  private isDisplayed(): boolean {
    return (this.list?.clientWidth ?? 0) > 0;
  }

  private listTop(): number {
    return this.list!.getBoundingClientRect().top;
  }

  private pin(wanted: Pin): void {
    this.unpin();
    this.pinned = wanted;
    this.unpinTimer = setTimeout(() => this.unpin(), pinnedMs);
  }

  /** All heights become unknown. The row at the top of the screen stays there. */
  private forgetHeights(): void {
    const isBelowTop = this.list !== undefined && this.listTop() < 0;
    if (isBelowTop && !this.pinned) {
      this.pin({ row: this.topRow, top: this.listTop() + this.rows.topOf(this.topRow) });
    }
    this.layout = undefined;
  }

  /** The rows to render around the part of the list that is on the screen. */
  private rangeAt(from: number, screens: number): RowRange {
    const first = this.rows.rowAt(from - screens * innerHeight);
    return { first, last: this.rows.rowAt(from + (1 + screens) * innerHeight) + 1 };
  }

  /** Measures the rendered rows, sets the space of the others, and keeps the place. */
  private settle(): void {
    if (!this.isDisplayed()) return;
    const { list, rows, count, shown } = this;
    const before = rows.topOf(this.topRow);
    let at = Math.min(shown.first, Math.max(0, count - 1));
    const heights = [...list!.children].map((child) => child.getBoundingClientRect().height);
    for (const height of heights) rows.measure(at++, height);
    const last = Math.min(shown.last, count);
    list!.style.paddingTop = `${rows.topOf(Math.min(shown.first, last))}px`;
    list!.style.paddingBottom = `${rows.height - rows.topOf(last)}px`;
    const by = this.pinned
      ? this.listTop() + rows.topOf(this.pinned.row) - this.pinned.top
      : rows.topOf(this.topRow) - before;
    if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: 'instant' });
  }
}
