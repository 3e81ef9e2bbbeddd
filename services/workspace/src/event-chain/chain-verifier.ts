import {
  ChainFault,
  signedForm,
  type Anchor,
  type Checkpoint,
  type ExportEnd,
  type SignedRecord,
} from "./export-record.ts";
import {
  eventHash,
  genesisHash,
  isSignedBy,
  type ChainedEvent,
  type PublicKey,
} from "./signing.ts";

/** How long after midnight (UTC) a day's anchor may still be missing. */
const graceMs = 15 * 60_000;

/**
 * Requires an anchor for each day with entries: Carrel makes it when the day begins or when it
 * starts, so whoever removes anchors in order to rewrite entries leaves days without one. Entries
 * from before the first anchor don't count, since they are older than the chain, nor do entries
 * stored on a later day than they are dated.
 */
class AnchoredDays {
  private day: string | null = null;
  /** A day whose anchor must come next, and its first entry. */
  private pending: { day: string; sequence: number } | null = null;

  addEvent(sequence: number, occurredAt: string): void {
    const day = occurredAt.slice(0, 10);
    if (this.day === null || day <= this.day) return;
    this.refuse(this.pending);
    this.day = day;
    this.pending = { day, sequence };
  }

  addAnchor(day: string): void {
    // An entry of a later day than its anchors comes from a machine whose clock is ahead.
    if (this.day !== null && day < this.day) return;
    if (day !== this.pending?.day) this.refuse(this.pending);
    this.pending = null;
    this.day = day;
  }

  /** `at`, ISO 8601: the time of the log that was verified. */
  finish(at: string): void {
    if (this.pending === null) return;
    const isYoung = Date.parse(at) - Date.parse(`${this.pending.day}T00:00:00.000Z`) < graceMs;
    if (!isYoung) this.refuse(this.pending);
  }

  private refuse(pending: { day: string; sequence: number } | null): void {
    if (pending !== null)
      throw new ChainFault(
        "anchor-missing",
        pending.sequence,
        `Entry ${pending.sequence} is of ${pending.day}, but the anchor of that day is missing`,
      );
  }
}

/** What was proved so far. */
export interface ChainReport {
  events: number;
  /** The first remaining entry; null if there are none. */
  first: { sequence: number; occurredAt: string } | null;
  last: { sequence: number; occurredAt: string } | null;
  anchors: number;
  lastAnchor: Anchor | null;
  checkpoints: number;
  lastCheckpoint: Checkpoint | null;
  /** Fingerprints of the keys that signed something. */
  keys: string[];
}

/**
 * Verifies a chain record by record, in the order of an export, in constant memory; throws a
 * `ChainFault` at the first that doesn't fit.
 */
export class ChainVerifier {
  private sequence = 0;
  private hash: string;
  private readonly days = new AnchoredDays();
  private readonly found: ChainReport = {
    events: 0,
    first: null,
    last: null,
    anchors: 0,
    lastAnchor: null,
    checkpoints: 0,
    lastCheckpoint: null,
    keys: [],
  };

  constructor(
    private readonly instance: string,
    private readonly keys: readonly PublicKey[],
  ) {
    this.hash = genesisHash(instance);
  }

  get report(): ChainReport {
    return this.found;
  }

  get head(): { sequence: number; hash: string } {
    return { sequence: this.sequence, hash: this.hash };
  }

  addCheckpoint(checkpoint: Checkpoint): void {
    const { fromSequence, sequence, hash } = checkpoint;
    if (this.found.events + this.found.anchors > 0)
      throw new ChainFault("checkpoint", sequence, "A checkpoint comes too late in the file");
    if (fromSequence !== this.sequence + 1 || sequence < fromSequence)
      throw new ChainFault(
        "checkpoint",
        this.sequence + 1,
        `The checkpoint at ${sequence} begins at ${fromSequence} instead of ${this.sequence + 1}: a checkpoint is missing or was moved`,
      );
    this.verifySignature(checkpoint);
    this.sequence = sequence;
    this.hash = hash;
    this.found.checkpoints += 1;
    this.found.lastCheckpoint = checkpoint;
  }

  addEvent(entry: ChainedEvent): void {
    const { sequence } = entry;
    const expected = this.sequence + 1;
    if (sequence > expected)
      throw new ChainFault(
        "missing",
        expected,
        sequence === expected + 1
          ? `Entry ${expected} is missing`
          : `Entries ${expected} to ${sequence - 1} are missing`,
      );
    if (sequence < expected)
      throw new ChainFault(
        "order",
        sequence,
        `Entry ${sequence} comes after entry ${this.sequence}: entries were inserted, repeated or reordered`,
      );
    if (eventHash(entry) !== entry.hash)
      throw new ChainFault(
        "changed",
        sequence,
        `Entry ${sequence} was changed: its hash doesn't match its content`,
      );
    if (entry.previousHash !== this.hash)
      throw new ChainFault(
        "link",
        sequence,
        this.sequence === 0
          ? `Entry ${sequence} doesn't follow the beginning of this instance's log`
          : `Entry ${sequence} doesn't follow entry ${this.sequence}: one of them was replaced`,
      );
    this.days.addEvent(sequence, entry.occurredAt);
    this.sequence = sequence;
    this.hash = entry.hash;
    this.found.events += 1;
    this.found.last = { sequence, occurredAt: entry.occurredAt };
    this.found.first ??= this.found.last;
  }

  /** Anchors of removed entries come before the first entry; only their signature is left to check. */
  addAnchor(anchor: Anchor): void {
    const { day, sequence, hash } = anchor;
    const before = this.found.lastAnchor;
    const isRemoved = this.found.events === 0 && sequence < this.sequence;
    if (before !== null && (day <= before.day || sequence < before.sequence))
      throw new ChainFault("anchor-order", sequence, `The anchor of ${day} is out of order`);
    if (!isRemoved && sequence !== this.sequence)
      throw new ChainFault(
        "anchor-order",
        Math.min(sequence, this.sequence + 1),
        `The anchor of ${day} covers entry ${sequence} but comes after entry ${this.sequence}`,
      );
    this.verifySignature(anchor);
    if (!isRemoved && hash !== this.hash)
      throw new ChainFault(
        "anchor",
        sequence,
        `The anchor of ${day} doesn't match entry ${sequence}: entries ${(before?.sequence ?? 0) + 1} to ${sequence} were rewritten`,
      );
    this.days.addAnchor(day);
    this.found.anchors += 1;
    this.found.lastAnchor = anchor;
  }

  addEnd(end: ExportEnd): void {
    this.verifySignature(end);
    this.days.finish(end.signedAt);
    const { events, anchors, checkpoints } = this.found;
    if (end.sequence > this.sequence)
      throw new ChainFault(
        "tail",
        this.sequence + 1,
        `Entries ${this.sequence + 1} to ${end.sequence} are missing at the end`,
      );
    if (end.sequence !== this.sequence || end.hash !== this.hash)
      throw new ChainFault(
        "end",
        this.sequence,
        "The end of the export is for other entries than it contains",
      );
    if (end.events !== events || end.anchors !== anchors || end.checkpoints !== checkpoints)
      throw new ChainFault(
        "end",
        null,
        `Exported were ${end.events} entries, ${end.anchors} anchors and ${end.checkpoints} checkpoints, but the file has ${events}, ${anchors} and ${checkpoints}`,
      );
  }

  /** Ends the verification of the stored log, which has no signed end as an export does. */
  addNow(at: string): void {
    this.days.finish(at);
  }

  private verifySignature(record: SignedRecord): void {
    const name =
      record.type === "anchor"
        ? `anchor of ${record.day}`
        : record.type === "end"
          ? "end of the export"
          : `checkpoint at ${record.sequence}`;
    const key = this.keys.find(({ fingerprint }) => fingerprint === record.key);
    if (key === undefined)
      throw new ChainFault(
        "key",
        record.sequence,
        `The ${name} was signed with another key (${record.key})`,
      );
    if (!isSignedBy(key.publicKey, signedForm(this.instance, record), record.signature))
      throw new ChainFault("signature", record.sequence, `The ${name} doesn't match its signature`);
    if (!this.found.keys.includes(key.fingerprint)) this.found.keys.push(key.fingerprint);
  }
}
