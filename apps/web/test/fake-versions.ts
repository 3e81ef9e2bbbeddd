import {
  diffDocumentVersion,
  listDocumentVersions,
  type DocumentVersion,
  type getDocumentText,
  type Out,
  type SourceWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

type Diff = Out<typeof diffDocumentVersion>;
const at = (day: number): string => `2026-11-${day}T09:30:00.000Z`;
const version = (n: number, more: Partial<DocumentVersion> = {}): DocumentVersion => ({
  version: n,
  title: "Night tariff 2025",
  bytes: 24_000,
  wordCount: 1_800 + n,
  since: at(10 + n),
  until: at(11 + n),
  checkedAt: at(10 + n),
  hasText: true,
  ...more,
});

/** Contents that the fake gateway's documents have had. */
export class FakeVersions {
  /** What is known about documents of sources, by id; the others are uploads. */
  readonly known: Record<
    string,
    Pick<Out<typeof getDocumentText>, "asOf" | "revision" | "access">
  > = {};
  versions = [
    version(4, { until: null, checkedAt: at(28) }),
    version(3),
    version(2),
    version(1, { hasText: false }),
  ];
  /** After each version. */
  readonly diffs: Record<number, Diff> = {
    3: {
      added: 2,
      removed: 1,
      hunks: [
        {
          oldLine: 12,
          newLine: 12,
          lines: [
            { kind: "same", text: "## Night tariff" },
            { kind: "removed", text: "From 10 pm to 6 am, a kilowatt-hour costs 18.4 ct." },
            { kind: "added", text: "From 11 pm to 6 am, a kilowatt-hour costs 19.1 ct." },
            { kind: "same", text: "The day tariff applies at all other times." },
          ],
        },
        {
          oldLine: 40,
          newLine: 40,
          lines: [
            { kind: "same", text: "Meters are read by radio." },
            { kind: "added", text: "Whoever has no such meter gets one without charge by 2027." },
          ],
        },
      ],
      isComplete: true,
    },
    2: { added: 0, removed: 0, hunks: [], isComplete: true },
  };

  /** Makes an answer cite a version that isn't the current one anymore. */
  citeEarlier(source: SourceWire): void {
    Object.assign(source, { asOf: at(13), revision: 3 });
    this.known[source.documentId] = {
      asOf: at(28),
      revision: 4,
      access: { kind: "people", count: 12, from: "confluence" },
    };
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const is = matcher(call);
    if (is("GET", /\/documents\/[^/]+\/versions$/))
      return answered(call.reply(listDocumentVersions, { versions: this.versions }));
    const diff = is("GET", /\/documents\/[^/]+\/versions\/(\d+)\/diff$/);
    if (!diff) return false;
    const found = this.diffs[Number(diff[1])];
    return answered(
      found
        ? call.reply(diffDocumentVersion, found)
        : call.json({ error: "This version isn't kept anymore." }, 404),
    );
  }
}
