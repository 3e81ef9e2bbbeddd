import type {
  DocumentSelection,
  LibraryDocument,
  LibraryFilter,
  WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { kindOf, sampleLibrary } from "./library-documents.ts";

const waiting = new Set(["queued", "parsing", "parsed", "indexing"]);
const fits = (text: string, search: string): boolean =>
  text.toLowerCase().includes(search.toLowerCase());

/**
 * My documents and the workspaces' documents, in memory. The cost of a page depends only on its
 * size, so 100,000 documents stay fast.
 */
export class FakeLibraryStore {
  documents: LibraryDocument[] = sampleLibrary();
  emptyFolders = new Set<string>();
  /** Names of workbooks, by the folder that holds their sheets. */
  folderTitles = new Map<string, string>();
  constructor(
    protected readonly workspaces: () => { id: number; slug: string }[],
    protected readonly inWorkspace: (slug: string) => WorkspaceDocumentStatus[],
    protected readonly changed: () => void,
  ) {}

  find(filter: Partial<LibraryFilter>): LibraryDocument[] {
    const { folder, deep, search, kinds, tags, state, missingIn } = filter;
    const missing =
      missingIn === undefined
        ? null
        : (this.workspaces().find((each) => each.slug === missingIn)?.id ?? -1);
    return this.documents.filter(
      (document) =>
        (folder === undefined ||
          document.folder === folder ||
          (deep === true && document.folder.startsWith(`${folder}/`))) &&
        (!search || fits(document.title, search)) &&
        (!kinds?.length || kinds.includes(document.kind)) &&
        (tags ?? []).every((tag) => document.tags.includes(tag)) &&
        (state === undefined ||
          (state === "failed"
            ? document.state === "failed"
            : state === "ready"
              ? document.state === "parsed"
              : document.state === "queued" || document.state === "parsing")) &&
        (missing === null || !document.workspaces.includes(missing)),
    );
  }
  protected select(body: Record<string, unknown>): LibraryDocument[] {
    const selection = body.selection as DocumentSelection;
    if ("filter" in selection) {
      const { documentIds = [], folders = [] } = selection.except ?? {};
      return this.find(selection.filter).filter(
        (document) =>
          !documentIds.includes(document.documentId) &&
          !folders.some(
            (folder) => document.folder === folder || document.folder.startsWith(`${folder}/`),
          ),
      );
    }
    const ids = new Set(selection.documentIds);
    return this.documents.filter((document) => ids.has(document.documentId));
  }

  /** One page of a workspace's documents. */
  page(
    slug: string,
    query: URLSearchParams,
  ): { documents: WorkspaceDocumentStatus[]; total: number; nextCursor: null; passages: number } {
    const search = query.get("search") ?? "";
    const state = query.get("state");
    const [kinds, tags] = [query.getAll("kinds"), query.getAll("tags")];
    const all = this.inWorkspace(slug).filter(
      (document) =>
        fits(document.title, search) &&
        (kinds.length === 0 || kinds.includes(document.kind ?? kindOf(document.title))) &&
        tags.every((tag) => document.tags?.includes(tag)) &&
        (state === null ||
          (state === "pinned"
            ? document.pinned === true
            : state === "failed"
              ? document.state === "failed"
              : state === "waiting"
                ? waiting.has(document.state)
                : ["searchable", "embedding", "embedded"].includes(document.state))),
    );
    if (query.get("sort") === "title")
      all.sort(
        (a, b) => a.title.localeCompare(b.title) * (query.get("descending") === "true" ? -1 : 1),
      );
    const offset = Number(query.get("offset") ?? 0);
    return {
      documents: all.slice(offset, offset + Number(query.get("limit") ?? 100)),
      total: all.length,
      nextCursor: null,
      passages: 18_420,
    };
  }

  protected folders(): {
    folders: { name: string; title: string | null; documents: number; failed: number }[];
    documents: number;
    tags: string[];
  } {
    const counts = new Map<string, { documents: number; failed: number }>();
    const tags = new Set<string>();
    const named = (name: string): { documents: number; failed: number } => {
      const known = counts.get(name) ?? { documents: 0, failed: 0 };
      if (!counts.has(name)) {
        counts.set(name, known);
        if (name.includes("/")) named(name.slice(0, name.lastIndexOf("/")));
      }
      return known;
    };
    for (const name of this.emptyFolders) named(name);
    for (const { folder, state, tags: own } of this.documents) {
      const count = named(folder);
      count.documents += 1;
      if (state === "failed") count.failed += 1;
      for (const tag of own) tags.add(tag);
    }
    return {
      folders: [...counts]
        .map(([name, count]) => ({ name, title: this.folderTitles.get(name) ?? null, ...count }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      documents: this.documents.length,
      tags: [...tags].sort(),
    };
  }
}
