import { ChainFault } from "./chain-fault.ts";
import type { Anchor, ExportEnd } from "./export-record.ts";

/**
 * Anchors that were copied out of the instance. They are compared by hash alone: whoever kept the
 * copy trusts it, even if the instance's key was stolen.
 */
export class OutsideAnchors {
  private readonly bySequence = new Map<number, Anchor[]>();
  compared = 0;

  constructor(anchors: readonly Anchor[]) {
    for (const anchor of anchors)
      this.bySequence.set(anchor.sequence, [
        ...(this.bySequence.get(anchor.sequence) ?? []),
        anchor,
      ]);
  }

  compare({ sequence, hash }: { sequence: number; hash: string }): void {
    for (const anchor of this.bySequence.get(sequence) ?? []) {
      if (anchor.hash !== hash)
        throw new ChainFault(
          "outside-anchor",
          sequence,
          `Your copy of the anchor of ${anchor.day} names another hash for entry ${sequence}: the log was rewritten`,
        );
      this.compared += 1;
    }
  }

  /** An export that is older than an anchor may well be shorter. */
  finish(end: ExportEnd): void {
    for (const [sequence, [anchor]] of this.bySequence)
      if (sequence > end.sequence && anchor!.signedAt <= end.signedAt)
        throw new ChainFault(
          "outside-anchor",
          end.sequence + 1,
          `Your copy of the anchor of ${anchor!.day} covers entry ${sequence}, but the log ended at ${end.sequence} later on: it was rolled back`,
        );
  }
}
