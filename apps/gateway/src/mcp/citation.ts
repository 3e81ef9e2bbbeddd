import { webAddressOf, type Passage, type SourceWire } from "@carrel/contracts";
import { z } from "zod";
import type { CollectedAnswer } from "../chat/collect-generation.ts";
import { documentUri } from "./document-resources.ts";

/** A passage and where to find it. */
export const citation = z.object({
  /** As in the answer's marks, from 1. */
  number: z.number(),
  title: z.string(),
  text: z.string(),
  score: z.number().nullable(),
  /** Empty for a web page that an agent has read. */
  documentId: z.string(),
  /** Resource to read; such a web page's address. */
  uri: z.string(),
  /** The web page that the document was made from. */
  url: z.string().nullable(),
  page: z.number().nullable(),
  heading: z.array(z.string()),
  /** Character range in the document. */
  start: z.number(),
  end: z.number(),
});

export function asCitation(
  slug: string,
  source: Passage | SourceWire,
  at: number,
): z.infer<typeof citation> {
  const url = webAddressOf(source.chunkSource, source.headingPath.at(-1)) ?? statedAddress(source);
  return {
    number: at + 1,
    title: source.title,
    text: source.text,
    score: source.score ?? null,
    documentId: source.documentId,
    uri: source.documentId === "" ? (url ?? "") : documentUri(slug, source.documentId),
    url,
    page: source.page,
    heading: source.headingPath,
    start: source.start,
    end: source.end,
  };
}

/** Of a page that agents read, or that an uploader states. */
const statedAddress = ({ url }: Pick<SourceWire, "url">): string | null =>
  /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;

/** The answer without its inline reasoning. */
export function withoutReasoning({
  text,
  reasoning,
}: Pick<CollectedAnswer, "text" | "reasoning">): string {
  let [rest, from] = ["", 0];
  for (const { start, end } of reasoning.toSorted((left, right) => left.start - right.start)) {
    rest += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return (rest + text.slice(from)).trim();
}
