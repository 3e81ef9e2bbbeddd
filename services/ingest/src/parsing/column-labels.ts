import { clipText } from "@carrel/contracts/clip-text";

/*
 * Rows repeat the names of their columns, and merged cells their text. Once that has made a text this
 * many times as long as the cells, and not a short one, less of it is written: a name of 250,000
 * characters above 100,000 rows made a text that nothing could hold.
 */
const mostGrowth = 4;
const shortText = 50_000;
/** Names of this length are always written whole. */
const shortName = 60;

/** Counts what a table's cells contain and what is repeated beside them. */
export class Repetition {
  private own = 0;
  private repeated = 0;

  addOwn(text: string): void {
    this.own += text.length;
  }

  /** Whether `text` may be repeated; if so, it is counted. */
  mayRepeat(text: string): boolean {
    if (this.repeated > shortText + mostGrowth * this.own) return false;
    this.repeated += text.length;
    return true;
  }
}

/** Writes the cells of a table with the names of their columns. */
export class ColumnLabels {
  private readonly repetition = new Repetition();

  /** `name: value`. */
  write(name: string, value: string): string {
    this.repetition.addOwn(value);
    const shown = this.repetition.mayRepeat(name) ? name : clipText(name, shortName);
    return shown === "" ? value : `${shown}: ${value}`;
  }
}
