/** A range of characters, end exclusive. */
export interface Range {
  start: number;
  end: number;
}
