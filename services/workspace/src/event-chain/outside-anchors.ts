import { ChainFault, signedForm, type Anchor, type ExportEnd } from "./export-record.ts";
import { isSignedBy, type PublicKey } from "./signing.ts";

/** Copies of anchors by whether one of the log's keys signed them for this instance. */
export function groupBySignature(
  instance: string,
  keys: readonly PublicKey[],
  anchors: readonly Anchor[],
): { signed: Anchor[]; unknown: Anchor[] } {
  const publicKeys = new Map(keys.map(({ fingerprint, publicKey }) => [fingerprint, publicKey]));
  const groups: ReturnType<typeof groupBySignature> = { signed: [], unknown: [] };
  for (const anchor of anchors) {
    const publicKey = publicKeys.get(anchor.key) ?? "";
    const isSigned = isSignedBy(publicKey, signedForm(instance, anchor), anchor.signature);
    groups[isSigned ? "signed" : "unknown"].push(anchor);
  }
  return groups;
}

/** Whoever deletes or replaces the keys can sign a shorter log again; the copies still show it. */
export function refuseUnknown(unknown: readonly Anchor[], copies = "Your copies"): void {
  if (unknown.length === 0) return;
  const days = unknown.map(({ day }) => day).toSorted();
  const range = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
  throw new ChainFault(
    "outside-key",
    null,
    `${copies} include ${unknown.length} anchor${unknown.length === 1 ? "" : "s"} (${range}) that none of the log's keys signed: the keys were deleted or replaced, or the anchors are from another instance`,
  );
}

/**
 * Anchors that were copied out of the database: to the data folder, or by an auditor. They are
 * compared by hash alone: whoever kept the copy trusts it, even if the instance's key was stolen.
 */
export class OutsideAnchors {
  private readonly bySequence = new Map<number, Anchor[]>();
  /** Days whose anchors haven't come yet. */
  private readonly missing = new Map<string, Anchor>();
  compared = 0;

  /** @param copy its name in messages */
  constructor(
    anchors: readonly Anchor[],
    private readonly copy = "Your copy",
  ) {
    for (const anchor of anchors) {
      this.missing.set(anchor.day, anchor);
      this.bySequence.set(anchor.sequence, [
        ...(this.bySequence.get(anchor.sequence) ?? []),
        anchor,
      ]);
    }
  }

  compare({ sequence, hash }: { sequence: number; hash: string }): void {
    for (const anchor of this.bySequence.get(sequence) ?? []) {
      if (anchor.hash !== hash)
        throw new ChainFault(
          "outside-anchor",
          sequence,
          `${this.copy} of the anchor of ${anchor.day} names another hash for entry ${sequence}: the log was rewritten`,
        );
      this.compared += 1;
    }
  }

  /** An anchor of the log. */
  addAnchor({ day }: Pick<Anchor, "day">): void {
    this.missing.delete(day);
  }

  /** A log that is older than an anchor may well be shorter. */
  finish(end: Pick<ExportEnd, "sequence" | "signedAt">): void {
    for (const [sequence, [anchor]] of this.bySequence)
      if (sequence > end.sequence && anchor!.signedAt <= end.signedAt)
        throw new ChainFault(
          "outside-anchor",
          end.sequence + 1,
          `${this.copy} of the anchor of ${anchor!.day} covers entry ${sequence}, but the log ended at ${end.sequence} later on: it was rolled back`,
        );
    for (const { day, sequence, signedAt } of this.missing.values())
      if (signedAt <= end.signedAt)
        throw new ChainFault(
          "anchor-missing",
          sequence,
          `The anchor of ${day} was removed from the log`,
        );
  }
}
