/** Why a chain doesn't verify. */
export type FaultCode =
  /** The entry isn't what its hash was made of. */
  | "changed"
  /** Entries are missing before this one. */
  | "missing"
  /** The entry was there before or comes too late. */
  | "order"
  /** The entry doesn't follow the previous one. */
  | "link"
  /** A signed anchor names another hash for this entry. */
  | "anchor"
  /** A day with entries has no anchor, or an anchor that was copied out of the log isn't in it. */
  | "anchor-missing"
  /** An anchor is out of place. */
  | "anchor-order"
  /** A checkpoint is missing or out of place. */
  | "checkpoint"
  /** A signature doesn't match what it signs. */
  | "signature"
  /** Signed by a key that isn't trusted or known. */
  | "key"
  /** The newest entries are missing. */
  | "tail"
  /** Entries outside the chain. */
  | "unchained"
  /** The end says that something else was exported. */
  | "end"
  /** The file stops before its end. */
  | "truncated"
  /** Something follows the end. */
  | "after-end"
  /** A line that Carrel didn't write this way. */
  | "line"
  /** An outside anchor names another hash. */
  | "outside-anchor"
  /** Outside anchors that no key of the log signed. */
  | "outside-key";

export class ChainFault extends Error {
  override readonly name = "ChainFault";
  constructor(
    readonly code: FaultCode,
    /** The first entry that doesn't verify; null if it isn't about one. */
    readonly sequence: number | null,
    /** In English, for the command line. */
    message: string,
    /** 1-based; in files only. */
    readonly line: number | null = null,
  ) {
    super(message);
  }
}
