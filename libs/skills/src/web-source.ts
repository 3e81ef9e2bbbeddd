import type { SourceWire } from "@carrel/contracts";

/** A web page, or a search's excerpt of it, as a source of an answer (wire-contract 4.8). */
export function webSource(page: {
  url: string;
  title: string;
  /** What is quoted of it. */
  text: string;
  author?: string;
  description?: string;
  published?: string;
}): SourceWire {
  const words = page.text.match(/\S+/g)?.length ?? 0;
  return {
    id: `link://${page.url}`,
    url: page.url,
    title: page.title,
    docAuthor: page.author ?? "",
    description: page.description ?? "",
    docSource: "web page",
    chunkSource: `link://${page.url}`,
    published: page.published ?? "",
    wordCount: words,
    token_count_estimate: Math.ceil(Buffer.byteLength(page.text) / 4),
    text: page.text,
    documentId: "",
    docpath: "",
    page: null,
    start: 0,
    end: page.text.length,
    headingPath: [],
  };
}
