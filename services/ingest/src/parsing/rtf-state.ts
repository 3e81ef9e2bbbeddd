/** Where text goes: the document itself, or lines that are written later. */
export interface Target {
  kind: "body" | "header" | "footer" | "footnote" | "comment" | "author" | "box";
  lines: string[];
}

/** What a group inherits from the one around it. */
export interface State {
  /** Skipped groups; text boxes inside them are read only if they are optional. */
  skip: "no" | "optional" | "always";
  /** Of the group: what follows `\*` or is the older of two versions. */
  isOptional: boolean;
  skipsNextGroup: boolean;
  inFonts: boolean;
  isHidden: boolean;
  isDeleted: boolean;
  unicodeSkip: number;
  outline: number | null;
  font: number;
  /** The font of double-byte characters, and whether it is in use. */
  wideFont: number | null;
  isWide: boolean;
  target: Target;
}

/** Outside all groups. */
export const initialState = (target: Target): State => ({
  skip: "no",
  isOptional: false,
  skipsNextGroup: false,
  inFonts: false,
  isHidden: false,
  isDeleted: false,
  unicodeSkip: 1,
  outline: null,
  font: 0,
  wideFont: null,
  isWide: false,
  target,
});
