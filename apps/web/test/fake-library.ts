import type { IncomingHttpHeaders } from "node:http";
import type {
  DocumentSelection,
  LibraryDocument,
  LibraryFilter,
  WorkspaceDocumentStatus,
} from "@carrel/contracts";
import type { FakeCall } from "./fake-accounts.ts";

const uuid = (n: number): string => `00000000-0000-4000-a000-${String(n).padStart(12, "0")}`;
export const libraryDocument = (
  n: number,
  folder: string,
  title: string,
  rest: Partial<LibraryDocument> = {},
): LibraryDocument => ({
  documentId: uuid(n),
  docpath: `${folder}/${title}-${n}.json`,
  folder,
  title,
  filename: title,
  kind: title.endsWith(".pdf") ? "pdf" : title.endsWith(".xlsx") ? "sheet" : "text",
  mime: title.endsWith(".pdf") ? "application/pdf" : "text/plain",
  bytes: 24_000 + n * 17,
  pages: null,
  wordCount: 1200,
  state: "parsed",
  reason: null,
  addedAt: "2026-11-12T09:00:00.000Z",
  source: "",
  canWatch: false,
  tags: [],
  hasOriginal: true,
  workspaces: [],
  ...rest,
});
const kindOf = (title: string): string =>
  title.endsWith(".pdf")
    ? "pdf"
    : title.endsWith(".docx")
      ? "word"
      : title.endsWith(".csv")
        ? "sheet"
        : title.includes(".")
          ? "text"
          : "web";
const sample = (): LibraryDocument[] => [
  libraryDocument(1, "Retrofit 2024/Block A–C drawings", "Plan, block A.pdf"),
  libraryDocument(2, "Retrofit 2024/Block A–C drawings", "Plan, block B.pdf"),
  libraryDocument(3, "Retrofit 2024/Measurements", "Riser flow measurements.xlsx", {
    workspaces: [1],
  }),
  libraryDocument(4, "Retrofit 2024/Measurements", "Meter readings, first quarter.xlsx", {
    tags: ["2024", "Meters"],
  }),
  libraryDocument(5, "Retrofit 2024/Measurements", "Meter readings, second quarter.xlsx"),
  libraryDocument(6, "Retrofit 2024/Measurements", "Radiator schedule, block C.csv", {
    workspaces: [1],
  }),
  libraryDocument(7, "Retrofit 2024/Measurements", "Thermal images, block C.zip", {
    state: "failed",
    reason: "Archives cannot be read.",
  }),
  libraryDocument(8, "Retrofit 2024", "Retrofit survey 2024.pdf", {
    workspaces: [1],
    tags: ["2024"],
  }),
  libraryDocument(9, "Retrofit 2024", "Heat-pump field trial.pdf", { workspaces: [1, 2] }),
  ...Array.from({ length: 14 }, (_, n) =>
    libraryDocument(20 + n, "Web pages", `Tariff page ${n + 1}.html`, {
      kind: "web",
      mime: "text/html",
    }),
  ),
  ...Array.from({ length: 58 }, (_, n) =>
    libraryDocument(100 + n, "Supplier contracts", `Contract ${n + 1}.pdf`),
  ),
  libraryDocument(10, "custom-documents", "Utility, letter of 12 April.eml", {
    kind: "mail",
    mime: "message/rfc822",
  }),
];

const waiting = new Set(["queued", "parsing", "parsed", "indexing"]);
const fits = (text: string, search: string): boolean =>
  text.toLowerCase().includes(search.toLowerCase());

/**
 * The document manager's part of the fake gateway. Everything is in memory; a page costs only what
 * it holds, so that 100,000 documents stay fast.
 */
export class FakeLibrary {
  documents: LibraryDocument[] = sample();
  emptyFolders = new Set<string>();
  processorOnline = true;
  /** Bodies of requests with a selection, by path. */
  asked: { path: string; body: Record<string, unknown> }[] = [];
  uploads: { path: string; name: string; folder: string; headers: IncomingHttpHeaders }[] = [];
  /** Upload duration in milliseconds, uploads in flight, and the most at once. */
  uploadTakes = 0;
  inFlight = 0;
  mostInFlight = 0;
  /** Rejects the next uploads, one per entry. */
  refusals: { status: number; error: string }[] = [];
  links: string[] = [];
  private workspaces: () => { id: number; slug: string }[];
  private inWorkspace: (slug: string) => WorkspaceDocumentStatus[];
  private changed: () => void;
  constructor(
    workspaces: () => { id: number; slug: string }[],
    inWorkspace: (slug: string) => WorkspaceDocumentStatus[],
    changed: () => void,
  ) {
    this.workspaces = workspaces;
    this.inWorkspace = inWorkspace;
    this.changed = changed;
  }

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
  private select(body: Record<string, unknown>): LibraryDocument[] {
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
  ): { documents: WorkspaceDocumentStatus[]; total: number; passages: number } {
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
      passages: 18_420,
    };
  }

  /** Returns true if it answered the call. */
  async handle(call: FakeCall): Promise<boolean> {
    const { method, path, query, body, json, text } = call;
    if (body.selection) this.asked.push({ path, body });
    const done = (affected: number, skipped = 0, message: string | null = null): true => {
      json({ affected, skipped, message });
      this.changed();
      return true;
    };
    if (path === "/system/document-processing-status") {
      text(this.processorOnline ? "OK" : "Service Unavailable", this.processorOnline ? 200 : 503);
      return true;
    }
    if (path === "/library/folders") {
      json(this.folders());
      return true;
    }
    if (path === "/library/search") {
      const {
        filter = {},
        sort = "added",
        descending = true,
        offset = 0,
        limit = 100,
      } = body as {
        filter?: Partial<LibraryFilter>;
        sort?: string;
        descending?: boolean;
        offset?: number;
        limit?: number;
      };
      const found = this.find(filter);
      if (sort === "title" && found.length < 20_000)
        found.sort(
          (a, b) =>
            a.title.localeCompare(b.title, undefined, { numeric: true }) * (descending ? -1 : 1),
        );
      json({ documents: found.slice(offset, offset + limit), total: found.length });
      return true;
    }
    if (path === "/document/create-folder") {
      const name = String(body.name);
      if (this.folders().folders.some((folder) => folder.name === name))
        json({ success: false, message: "Folder by that name already exists" }, 409);
      else {
        this.emptyFolders.add(name);
        json({ success: true, message: null });
        this.changed();
      }
      return true;
    }
    if (path === "/library/folders/rename") {
      const [from, to] = [String(body.from), String(body.to)];
      const renamed = (name: string): string =>
        name === from || name.startsWith(`${from}/`) ? to + name.slice(from.length) : name;
      for (const document of this.documents) document.folder = renamed(document.folder);
      this.emptyFolders = new Set([...this.emptyFolders].map(renamed));
      json({ success: true });
      this.changed();
      return true;
    }
    if (method === "DELETE" && path === "/system/remove-folder") {
      const name = String(body.name);
      this.documents = this.documents.filter(
        (document) => document.folder !== name && !document.folder.startsWith(`${name}/`),
      );
      this.emptyFolders = new Set(
        [...this.emptyFolders].filter(
          (folder) => folder !== name && !folder.startsWith(`${name}/`),
        ),
      );
      text();
      this.changed();
      return true;
    }
    if (path === "/library/move") {
      const some = this.select(body);
      for (const document of some) document.folder = String(body.folder);
      return done(some.length);
    }
    if (path === "/library/tag") {
      const some = this.select(body);
      for (const document of some)
        document.tags = [...new Set([...document.tags, ...(body.add as string[])])].filter(
          (tag) => !(body.remove as string[]).includes(tag),
        );
      return done(some.length);
    }
    if (path === "/library/purge") {
      const some = new Set(this.select(body));
      this.documents = this.documents.filter((document) => !some.has(document));
      return done(some.size);
    }
    if (path === "/library/reread") {
      const some = this.select(body);
      for (const document of some) Object.assign(document, { state: "parsed", reason: null });
      return done(some.length);
    }
    const original = /^\/library\/documents\/([^/]+)\/original$/.exec(path);
    if (original) {
      json({ url: `/api/blob/${original[1]}` });
      return true;
    }
    const read = /^\/library\/documents\/([^/]+)\/text$/.exec(path);
    if (read) {
      const document = this.documents.find((each) => each.documentId === read[1]);
      const whole = `${document?.title}, as it stands in the library.\n`.repeat(200);
      const [start, end] = [
        Number(query.get("start")),
        Math.min(whole.length, Number(query.get("end") ?? whole.length)),
      ];
      json({
        title: document?.title,
        mime: "text/plain",
        text: whole.slice(start, end),
        start,
        end,
        length: whole.length,
        pages: null,
        page: null,
        lines: null,
        headingPath: [],
        rectangles: [],
        originalUrl: null,
      });
      return true;
    }
    const inside =
      /^\/workspace\/([^/]+)\/(documents\/(add|take-out|embed-again|pin)|embed-queue|upload|upload-and-embed|upload-link)$/.exec(
        path,
      );
    if (!inside || (method !== "POST" && inside[2] !== "embed-queue")) return false;
    return this.workspace(inside[1]!, inside[3] ?? inside[2]!, call, done);
  }

  private async workspace(
    slug: string,
    what: string,
    call: FakeCall,
    done: (affected: number, skipped?: number, message?: string | null) => true,
  ): Promise<boolean> {
    const { body, json, raw, path } = call;
    const held = this.inWorkspace(slug);
    const id = this.workspaces().find((each) => each.slug === slug)?.id ?? 0;
    const selection = body.selection as DocumentSelection | undefined;
    const chosen = (): WorkspaceDocumentStatus[] =>
      selection === undefined
        ? held
        : "documentIds" in selection
          ? held.filter((document) => selection.documentIds.includes(document.documentId))
          : held.filter((document) => !selection.except?.documentIds.includes(document.documentId));
    switch (what) {
      case "add": {
        const some = this.select(body).filter((document) => !document.workspaces.includes(id));
        for (const document of some) {
          document.workspaces = [...document.workspaces, id];
          if (some.length < 1000)
            held.unshift({
              documentId: document.documentId,
              docpath: document.docpath,
              title: document.title,
              state: "queued",
              reason: null,
              progress: 0,
              chunksDone: 0,
              chunksTotal: 0,
              bytes: document.bytes,
              pages: null,
              wordCount: document.wordCount,
              mime: document.mime,
              addedAt: new Date().toISOString(),
              hasOriginal: true,
              pinned: false,
              tags: document.tags,
            });
        }
        return done(some.length, this.select(body).length - some.length);
      }
      case "take-out": {
        const some = new Set(chosen());
        held.splice(0, held.length, ...held.filter((document) => !some.has(document)));
        return done(some.size);
      }
      case "embed-again": {
        const some = chosen();
        for (const document of some) document.state = "embedding";
        return done(some.length);
      }
      case "pin": {
        const some = chosen();
        for (const document of some) document.pinned = Boolean(body.pinned);
        return done(some.length);
      }
      case "embed-queue":
        held.splice(
          held.findIndex((document) => document.docpath === body.filename),
          1,
        );
        json({ success: true });
        this.changed();
        return true;
      case "upload-link":
        if (!String(body.link).includes("127.0.0.1")) this.links.push(String(body.link));
        return false;
      default: {
        const sent = raw.toString("utf8");
        const name = /filename="([^"]+)"/.exec(sent)?.[1] ?? "file";
        const folder = /name="folderName"\r\n\r\n([^\r]*)\r\n/.exec(sent)?.[1] ?? "";
        this.inFlight += 1;
        this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
        if (this.uploadTakes > 0)
          await new Promise((resolve) => setTimeout(resolve, this.uploadTakes));
        this.inFlight -= 1;
        const refusal = this.refusals.shift();
        if (refusal) {
          json({ success: false, error: refusal.error, document: null }, refusal.status);
          return true;
        }
        this.uploads.push({ path, name, folder, headers: {} });
        if (!name.endsWith(".exe"))
          this.documents.push(
            libraryDocument(
              100_000 + this.uploads.length + this.documents.length,
              folder === "" ? "custom-documents" : folder,
              name,
              { workspaces: what === "upload" ? [] : [id] },
            ),
          );
        if (what === "upload") {
          json({ success: true, error: null });
          this.changed();
          return true;
        }
        return false;
      }
    }
  }

  private folders(): {
    folders: { name: string; documents: number; failed: number }[];
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
        .map(([name, count]) => ({ name, ...count }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      documents: this.documents.length,
      tags: [...tags].sort(),
    };
  }
}
