import { randomInt, randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import {
  ChainFault,
  signedForm,
  writeRecord,
  type Anchor,
  type Checkpoint,
  type ExportEnd,
  type ExportHeader,
  type ExportRecord,
} from "./export-record.ts";
import {
  createSigningKey,
  eventHash,
  genesisHash,
  signText,
  type ChainedEvent,
} from "./signing.ts";
import { NotAnExportError, verifyExport, type VerifyOptions } from "./verify-export.ts";

const instance = randomUUID();
const key = createSigningKey();
const signedAt = "2026-05-09T00:00:00.000Z";
type Unsigned<T> = Omit<T, "key" | "signature" | "signedAt">;

function signed<T extends Anchor | Checkpoint | ExportEnd>(record: Unsigned<T>, by = key): T {
  const unsigned = { ...record, signedAt } as unknown as T;
  const signature = signText(by.privateKey, signedForm(instance, unsigned));
  return { ...unsigned, key: by.fingerprint, signature };
}

function chain(
  count: number,
  after = { sequence: 0, hash: genesisHash(instance) },
): ChainedEvent[] {
  const events: ChainedEvent[] = [];
  for (let index = 1; index <= count; index += 1) {
    const event = {
      sequence: after.sequence + index,
      previousHash: events.at(-1)?.hash ?? after.hash,
      hash: "",
      id: randomUUID(),
      occurredAt: `2026-05-0${1 + Math.floor((index - 1) / 5)}T10:00:00.000Z`,
      userId: index % 3 === 0 ? null : index,
      event: index % 4 === 0 ? "setting\nchanged – ü" : "login_event",
      metadata: `{"username": "ada", "note": "line\\nbreak ${index}"}`,
    };
    events.push({ ...event, hash: eventHash(event) });
  }
  return events;
}
const asRecord = (event: ChainedEvent): ExportRecord => ({ type: "event", ...event });
const end = (last: { sequence: number; hash: string }, counts: Partial<ExportEnd>): ExportEnd =>
  signed<ExportEnd>({
    type: "end",
    sequence: last.sequence,
    hash: last.hash,
    events: 0,
    checkpoints: 0,
    anchors: 0,
    ...counts,
  });
const header: ExportHeader = {
  type: "header",
  format: "carrel-event-log",
  version: 1,
  instance,
  keys: [{ fingerprint: key.fingerprint, publicKey: key.publicKey }],
};
const anchor = (day: string, { sequence, hash }: ChainedEvent): Anchor =>
  signed<Anchor>({ type: "anchor", day, sequence, hash });

/** A log whose first five entries were removed, with an anchor before each further day. */
function makeExport(): { records: ExportRecord[]; events: ChainedEvent[] } {
  const [removed, events] = [chain(5), [] as ChainedEvent[]];
  events.push(...chain(20, removed.at(-1)));
  const { sequence, hash } = removed.at(-1)!;
  const anchors = [4, 9, 14].map((index) =>
    anchor(`2026-05-0${index > 9 ? 4 : index > 4 ? 3 : 2}`, events[index]!),
  );
  return {
    events,
    records: [
      header,
      signed<Checkpoint>({
        type: "checkpoint",
        reason: "retention",
        fromSequence: 1,
        sequence,
        hash,
      }),
      anchor("2026-05-01", removed[2]!),
      ...events.flatMap((event) => [
        asRecord(event),
        ...anchors.filter((each) => each.sequence === event.sequence),
      ]),
      end(events.at(-1)!, { events: 20, checkpoints: 1, anchors: 4 }),
    ],
  };
}

/** Yields the bytes in pieces that fall between and within lines. */
async function* pieces(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
const verifyText = (text: string | Buffer, options?: VerifyOptions) =>
  verifyExport(pieces(Buffer.from(text)), options);
const verify = (records: readonly ExportRecord[], options?: VerifyOptions) =>
  verifyText(records.map(writeRecord).join(""), options);
const faultOf = (outcome: Promise<unknown>): Promise<Partial<ChainFault>> =>
  outcome.then(
    () => ({ code: undefined }),
    (error: unknown) => {
      if (error instanceof ChainFault) return error;
      throw error;
    },
  );
/** Recomputes the hashes from an index on, as a forger would. */
function rehash(events: readonly ChainedEvent[], from: number): ChainedEvent[] {
  const forged = events.slice(0, from);
  for (const event of events.slice(from)) {
    const next = { ...event, previousHash: forged.at(-1)?.hash ?? event.previousHash };
    forged.push({ ...next, hash: eventHash(next) });
  }
  return forged;
}

/** Each with the next digit. */
const digits: Record<string, string> = { A: "B", Q: "R", g: "h", w: "x" };

describe("an export", () => {
  const { records, events } = makeExport();
  const rowAt = (index: number): number =>
    records.findIndex((one) => one.type === "event" && one.sequence === events[index]!.sequence);
  const changed = (index: number, change: Partial<ChainedEvent>): ExportRecord[] =>
    records.with(rowAt(index), asRecord({ ...events[index]!, ...change }));

  it("verifies, and says what was proved", async () => {
    for (const trusted of [undefined, [key], [key.fingerprint]])
      expect(await verify(records, { trusted })).toMatchObject({
        instance,
        events: 20,
        first: { sequence: 6 },
        last: { sequence: 25 },
        anchors: 4,
        checkpoints: 1,
        lastAnchor: { day: "2026-05-04", sequence: 20 },
        keys: [key.fingerprint],
      });
    const empty = { sequence: 0, hash: genesisHash(instance) };
    expect(await verify([header, end(empty, {})])).toMatchObject({ events: 0, first: null });
  });

  it("doesn't verify with any byte changed, removed, doubled or added", async () => {
    const bytes = Buffer.from(records.map(writeRecord).join(""));
    for (let round = 0; round < 400; round += 1) {
      // Spares the final line break, which makes no difference.
      const at = randomInt(bytes.length - 1);
      const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
      const other = Buffer.from([(bytes[at]! + randomInt(1, 256)) % 256]);
      const middle = [
        other,
        Buffer.alloc(0),
        Buffer.from([bytes[at]!, bytes[at]!]),
        Buffer.concat([other, bytes.subarray(at, at + 1)]),
      ][round % 4]!;
      const forged = Buffer.concat([head, middle, tail]);
      // Pinned, because a changed key in the header is only then a wrong one.
      const outcome = await verifyText(forged, { trusted: [key] }).then(
        () => "verified",
        (error: unknown) =>
          error instanceof ChainFault || error instanceof NotAnExportError ? "refused" : error,
      );
      expect([outcome, forged.toString("latin1").slice(at - 20, at + 20)]).toEqual([
        "refused",
        expect.anything(),
      ]);
    }
  });

  it("doesn't verify with a signature that decodes alike", async () => {
    const text = records.map(writeRecord).join("");
    // Of a signature's last digit, four bits mean nothing.
    const forged = text.replace(/([AQgw])==(?=")/, (_, digit: string) => `${digits[digit]}==`);
    expect(forged).not.toBe(text);
    expect(await faultOf(verifyText(forged))).toMatchObject({ code: "line" });
  });

  it("doesn't verify with any line removed, repeated or moved", async () => {
    for (let from = 1; from < records.length; from += 1) {
      expect((await faultOf(verify(records.toSpliced(from, 1)))).code).toBeDefined();
      expect(
        (await faultOf(verify(records.toSpliced(from, 0, records[from]!)))).code,
      ).toBeDefined();
      const to = from + 1 < records.length ? from + 1 : 1;
      const moved = records.toSpliced(from, 1).toSpliced(to, 0, records[from]!);
      expect((await faultOf(verify(moved))).code).toBeDefined();
    }
  });

  it("names the first bad entry and why", async () => {
    const without = (index: number) => records.toSpliced(rowAt(index), 1);
    const forged = rehash(events.with(3, { ...events[3]!, userId: 99 }), 3);
    const forgedRecords = (upTo: number): ExportRecord[] =>
      records.map((one) => {
        const index = one.type === "event" ? one.sequence - 6 : Infinity;
        return index < upTo ? asRecord(forged[index]!) : one;
      });
    const stranger = createSigningKey();
    const { fingerprint, publicKey } = stranger;
    const foreign = { ...header, keys: [{ fingerprint, publicKey }] };
    const cases: [string, ExportRecord[], number | null, VerifyOptions?][] = [
      ["changed", changed(7, { userId: 4 }), 13],
      ["changed", changed(7, { metadata: "{}" }), 13],
      ["changed", changed(7, { occurredAt: "2026-05-02T10:00:00.001Z" }), 13],
      ["missing", without(7), 13],
      ["order", records.toSpliced(rowAt(8), 0, asRecord(events[7]!)), 13],
      ["missing", records.with(rowAt(2), records[rowAt(3)]!).with(rowAt(3), records[rowAt(2)]!), 8],
      // Rewritten with new hashes: up to the next entry, the next anchor, or everything.
      ["link", forgedRecords(4), 10],
      ["anchor", forgedRecords(20), 10],
      ["truncated", records.slice(0, rowAt(9)), 15],
      ["tail", records.toSpliced(rowAt(19), 1), 25],
      ["missing", records.toSpliced(1, 2), 1],
      ["checkpoint", records.toSpliced(1, 0, records[1]!), 6],
      ["after-end", [...records, records[5]!], null],
      ["key", records, null, { trusted: [stranger] }],
      ["key", records, null, { trusted: [stranger.fingerprint] }],
      ["key", records.with(0, foreign), null],
      // The header of another instance, or one with its anchors.
      ["signature", records.with(0, { ...header, instance: randomUUID() }), 5],
    ];
    for (const [code, tampered, sequence, options] of cases) {
      const fault = await faultOf(verify(tampered, options));
      expect([fault.code, sequence && fault.sequence]).toEqual([code, sequence]);
    }
  });

  it("must match anchors kept outside, even if it was forged with the stolen key", async () => {
    const kept = records.filter((one) => one.type === "anchor");
    expect((await verify(records, { outsideAnchors: kept })).outsideAnchors).toBe(3);
    const start = { sequence: 0, hash: genesisHash(instance) };
    const other = chain(25, start);
    const rewritten = [header, ...other.map(asRecord), end(other.at(-1)!, { events: 25 })];
    expect(await verify(rewritten)).toMatchObject({ events: 25 });
    expect(await faultOf(verify(rewritten, { outsideAnchors: kept }))).toMatchObject({
      code: "outside-anchor",
      sequence: 3,
    });
    const shorter = [header, end(start, {})];
    expect(await faultOf(verify(shorter, { outsideAnchors: kept }))).toMatchObject({
      code: "outside-anchor",
      sequence: 1,
    });
  });

  it("needs an anchor for each day with entries, and all that were copied", async () => {
    const anchors = records.filter((one) => one.type === "anchor");
    const counted = (without: Anchor): ExportRecord[] => [
      ...records.filter((one) => one !== without).slice(0, -1),
      end(events.at(-1)!, { events: 20, checkpoints: 1, anchors: 3 }),
    ];
    for (const [n, sequence] of [
      [1, 11],
      [2, 16],
      [3, 21],
    ] as const)
      expect(await faultOf(verify(counted(anchors[n]!)))).toMatchObject({
        code: "anchor-missing",
        sequence,
      });
    // The anchor is from a day before the first entry, so only the copy reveals the loss.
    expect(await verify(counted(anchors[0]!))).toMatchObject({ anchors: 3 });
    expect(await faultOf(verify(counted(anchors[0]!), { outsideAnchors: anchors }))).toMatchObject({
      code: "anchor-missing",
      sequence: 3,
    });
  });

  it("must be signed by the keys that signed the copied anchors", async () => {
    const copies = records.filter((one) => one.type === "anchor");
    const thief = createSigningKey();
    const resigned = records.map((one) =>
      one.type === "event" || one.type === "header" ? one : signed<Anchor>(one as Anchor, thief),
    );
    const { fingerprint, publicKey } = thief;
    for (const keys of [
      [{ fingerprint, publicKey }],
      [...header.keys, { fingerprint, publicKey }],
    ]) {
      const log = [{ ...header, keys }, ...resigned.slice(1)];
      expect(await verify(log)).toMatchObject({ events: 20, anchors: 4 });
      const proof = verify(log, { outsideAnchors: copies });
      if (keys.length === 2) expect(await proof).toMatchObject({ outsideAnchors: 3 });
      else
        expect(await faultOf(proof)).toMatchObject({
          code: "outside-key",
          message: expect.stringMatching(
            /^Your copies include 4 anchors \(2026-05-01 to 2026-05-04\)/,
          ),
        });
    }
  });

  it("isn't any other file", async () => {
    for (const text of [
      "",
      "\n",
      "{}\n",
      '{"type":"header"}\n',
      "a,b\r\n1,2\r\n",
      Buffer.from([0xff, 10]),
    ])
      await expect(verifyText(text)).rejects.toBeInstanceOf(NotAnExportError);
    const long = pieces(Buffer.alloc(20 * 1024 * 1024, "x"), 1024 * 1024);
    await expect(verifyExport(long)).rejects.toBeInstanceOf(NotAnExportError);
  });
});
