import type { DocumentEntry, DocumentPart, DocumentPort } from "./document-port.ts";

interface TestDocument {
  entry: DocumentEntry;
  text: string;
  pages: { page: number; start: number }[];
  headings: { path: string[]; start: number }[];
}

/** Documents in memory, which hand out at most `mostAtOnce` characters per request. */
export class TestDocuments implements DocumentPort {
  readonly documents: TestDocument[] = [];
  readonly ranges: [number, number][] = [];
  mostAtOnce = 10_000;

  /** @param pages texts of its pages; a text alone has none */
  add(id: string, title: string, pages: string | string[], headings: string[] = []): void {
    const text = typeof pages === "string" ? pages : pages.join("");
    const starts: { page: number; start: number }[] = [];
    if (typeof pages !== "string") {
      let start = 0;
      for (const [index, page] of pages.entries()) {
        starts.push({ page: index + 1, start });
        start += page.length;
      }
    }
    this.documents.push({
      text,
      pages: starts,
      headings: headings.map((heading) => ({ path: [heading], start: text.indexOf(heading) })),
      entry: {
        id,
        title,
        docpath: `folder/${id}.json`,
        folder: "Harbour",
        type: "application/pdf",
        pages: starts.length || null,
        wordCount: text.match(/\S+/g)?.length ?? 0,
        length: text.length,
        addedAt: "2026-03-03T10:00:00.000Z",
        url: "",
        docAuthor: "",
        description: "",
        docSource: "",
        chunkSource: "",
        published: "3/3/2026",
      },
    });
  }

  list: DocumentPort["list"] = ({ name, offset, limit }) => {
    const found = this.documents.filter(({ entry }) => entry.title.includes(name));
    const documents = found.slice(offset, offset + limit).map(({ entry }) => entry);
    return Promise.resolve({ documents, total: found.length });
  };

  find: DocumentPort["find"] = (name) => {
    const all = this.documents.map(({ entry }) => entry);
    const exact = all.filter(({ id, title }) => id === name || title === name);
    return Promise.resolve(
      exact.length > 0 ? exact : all.filter(({ title }) => title.includes(name)),
    );
  };

  text: DocumentPort["text"] = (id, from, to): Promise<DocumentPart> => {
    const { text, pages, headings } = this.of(id);
    const end = Math.min(to, from + this.mostAtOnce, text.length);
    this.ranges.push([from, end]);
    const within = <T extends { start: number }>(all: T[]): T[] => [
      ...all.filter(({ start }) => start <= from).slice(-1),
      ...all.filter(({ start }) => start > from && start < end),
    ];
    return Promise.resolve({
      text: text.slice(from, end),
      start: from,
      end,
      pages: within(pages),
      headings: within(headings),
    });
  };

  pageStart: DocumentPort["pageStart"] = (id, page) =>
    Promise.resolve(this.of(id).pages.find((one) => one.page === page)?.start ?? null);

  private of(id: string): TestDocument {
    return this.documents.find(({ entry }) => entry.id === id)!;
  }
}
