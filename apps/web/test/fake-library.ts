import type { IncomingHttpHeaders } from "node:http";
import {
  addDocuments,
  createFolder,
  embedAgain,
  getLibraryDocumentText,
  leaveEmbedQueue,
  listFolders,
  listLibrary,
  moveDocuments,
  pinDocuments,
  purgeDocuments,
  removeWorkspaceDocuments,
  renameFolder,
  reparseDocuments,
  signOriginal,
  tagDocuments,
  uploadLink,
  type DocumentSelection,
  type LibraryFilter,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import type { FakeCall } from "./fake-call.ts";
import { FakeLibraryStore } from "./fake-library-store.ts";
import { libraryDocument } from "./library-documents.ts";

const workspaceCalls = new Set([
  "documents/add",
  "documents/take-out",
  "documents/embed-again",
  "documents/pin",
  "embed-queue",
  "upload",
  "upload-and-embed",
  "upload-link",
]);

type BulkChange =
  | typeof addDocuments
  | typeof embedAgain
  | typeof moveDocuments
  | typeof pinDocuments
  | typeof purgeDocuments
  | typeof removeWorkspaceDocuments
  | typeof reparseDocuments
  | typeof tagDocuments;

/** The document manager's part of the fake gateway. */
export class FakeLibrary extends FakeLibraryStore {
  processorOnline = true;
  /** Bodies of requests with a selection, by path. */
  asked: { path: string; body: Record<string, unknown> }[] = [];
  uploads: { path: string; name: string; folder: string; headers: IncomingHttpHeaders }[] = [];
  /** Upload duration in milliseconds, uploads in flight, and the most at once. */
  uploadTakes = 0;
  inFlight = 0;
  maxInFlight = 0;
  /** Rejects the next uploads, one per entry. */
  refusals: { status: number; error: string }[] = [];
  links: string[] = [];

  /** Returns true if it answered the call. */
  async handle(call: FakeCall): Promise<boolean> {
    const { method, path, query, body, json, reply, text } = call;
    if (body.selection) this.asked.push({ path, body });
    const done = (operation: BulkChange, affected: number, skipped = 0): true => {
      reply(operation, { affected, skipped });
      this.changed();
      return true;
    };
    if (path === "/system/document-processing-status") {
      text(this.processorOnline ? "OK" : "Service Unavailable", this.processorOnline ? 200 : 503);
      return true;
    }
    if (path === "/library/folders") {
      reply(listFolders, this.folders());
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
      reply(listLibrary, {
        documents: found.slice(offset, offset + limit),
        total: found.length,
        nextCursor: null,
      });
      return true;
    }
    if (path === "/document/create-folder") {
      const name = String(body.name);
      if (this.folders().folders.some((folder) => folder.name === name))
        json({ success: false, message: "Folder by that name already exists" }, 409);
      else {
        this.emptyFolders.add(name);
        reply(createFolder, { success: true, message: null });
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
      reply(renameFolder, { success: true });
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
      return done(moveDocuments, some.length);
    }
    if (path === "/library/tag") {
      const some = this.select(body);
      for (const document of some)
        document.tags = [...new Set([...document.tags, ...(body.add as string[])])].filter(
          (tag) => !(body.remove as string[]).includes(tag),
        );
      return done(tagDocuments, some.length);
    }
    if (path === "/library/purge") {
      const some = new Set(this.select(body));
      this.documents = this.documents.filter((document) => !some.has(document));
      return done(purgeDocuments, some.size);
    }
    if (path === "/library/reread") {
      const some = this.select(body);
      for (const document of some) Object.assign(document, { state: "parsed", reason: null });
      return done(reparseDocuments, some.length);
    }
    const original = /^\/library\/documents\/([^/]+)\/original$/.exec(path);
    if (original) {
      reply(signOriginal, { url: `/api/blob/${original[1]}` });
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
      reply(getLibraryDocumentText, {
        title: document?.title ?? "",
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
        pageSize: null,
        originalUrl: null,
      });
      return true;
    }
    const inside = /^\/workspace\/([^/]+)\/((?:documents\/)?([\w-]+))$/.exec(path);
    if (!inside || !workspaceCalls.has(inside[2]!)) return false;
    if (method !== "POST" && inside[2] !== "embed-queue") return false;
    return this.workspace(inside[1]!, inside[3]!, call, done);
  }

  private async workspace(
    slug: string,
    what: string,
    call: FakeCall,
    done: (operation: BulkChange, affected: number, skipped?: number) => true,
  ): Promise<boolean> {
    const { body, json, reply, raw, path } = call;
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
        return done(addDocuments, some.length, this.select(body).length - some.length);
      }
      case "take-out": {
        const some = new Set(chosen());
        held.splice(0, held.length, ...held.filter((document) => !some.has(document)));
        return done(removeWorkspaceDocuments, some.size);
      }
      case "embed-again": {
        const some = chosen();
        for (const document of some) document.state = "embedding";
        return done(embedAgain, some.length);
      }
      case "pin": {
        const some = chosen();
        for (const document of some) document.pinned = Boolean(body.pinned);
        return done(pinDocuments, some.length);
      }
      case "embed-queue": {
        const place = held.findIndex((document) => document.docpath === body.filename);
        if (place !== -1) held.splice(place, 1);
        reply(leaveEmbedQueue, { success: true });
        this.changed();
        return true;
      }
      case "upload-link":
        if (!String(body.link).includes("127.0.0.1")) this.links.push(String(body.link));
        return false;
      default: {
        const sent = raw.toString("utf8");
        const name = /filename="([^"]+)"/.exec(sent)?.[1] ?? "file";
        const folder = /name="folderName"\r\n\r\n([^\r]*)\r\n/.exec(sent)?.[1] ?? "";
        this.inFlight += 1;
        this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
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
          reply(uploadLink, { success: true, error: null });
          this.changed();
          return true;
        }
        return false;
      }
    }
  }
}
