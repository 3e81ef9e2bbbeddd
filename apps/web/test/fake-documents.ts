import {
  changeEncoding,
  getDocumentText,
  getSearchState,
  listAcceptedTypes,
  listDocumentCounts,
  listDocumentStatuses,
  removeWorkspaceDocument,
  retryDocument,
  uploadAndEmbed,
  uploadLink,
  type Out,
} from "@carrel/contracts";
import { answered, matcher, openStream, type FakeCall } from "./fake-call.ts";
import { documents, harbourText } from "./fake-data.ts";
import type { GatewayState } from "./gateway-state.ts";
import { textOfOriginal } from "./originals.ts";

const inProgress = new Set(["queued", "parsing", "parsed", "indexing", "embedding"]);
const searchable = new Set(["searchable", "embedding", "embedded"]);

/** A workspace's documents on the fake gateway, their text and their uploads. */
export class FakeDocuments {
  private lastId = 900_000;

  constructor(private readonly state: GatewayState) {}

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { path, query, body, response, json, reply } = call;
    const { library, progress } = this.state;
    const lists = this.state.documents;
    const is = matcher(call);
    let match: RegExpExecArray | null;
    if (path === "/workspaces/document-counts")
      return answered(reply(listDocumentCounts, { counts: this.counts() }));
    if (path === "/system/accepted-document-types")
      return answered(
        reply(listAcceptedTypes, {
          types: { "application/pdf": [".pdf"], "text/plain": [".txt"], "text/markdown": [".md"] },
        }),
      );
    if ((match = is("GET", /^\/workspace\/([^/]+)\/documents$/)))
      return answered(reply(listDocumentStatuses, library.page(match[1]!, query)));
    if ((match = is("GET", /^\/workspace\/([^/]+)\/search-state$/)))
      return answered(reply(getSearchState, this.state.searchState ?? this.searchState(match[1]!)));
    if ((match = is("GET", /^\/workspace\/([^/]+)\/documents\/([^/]+)\/text$/)))
      return answered(reply(getDocumentText, this.text(match[1]!, match[2]!, query)));
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/documents\/([^/]+)$/))) {
      const [, slug, id] = match;
      lists[slug!] = lists[slug!]!.filter((each) => each.documentId !== id);
      return answered(reply(removeWorkspaceDocument, { success: true }));
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/documents\/([^/]+)\/retry$/))) {
      const [, slug, id] = match;
      const document = lists[slug!]!.find((each) => each.documentId === id)!;
      document.state = "queued";
      document.reason = null;
      return answered(reply(retryDocument, { success: true }));
    }
    if ((match = is("POST", /^\/library\/documents\/([^/]+)\/encoding$/))) {
      const id = match[1]!;
      for (const document of Object.values(lists).flat())
        if (document.documentId === id)
          document.notes = [
            { code: "file-note.encoding-guessed", params: { encoding: String(body.encoding) } },
          ];
      return answered(reply(changeEncoding, { success: true }));
    }
    if (is("GET", /^\/workspace\/([^/]+)\/embed-progress$/)) {
      progress.add(response);
      return answered(openStream(response, () => progress.delete(response)));
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/upload-and-embed$/)))
      return answered(this.upload(match[1]!, call));
    if (is("POST", /^\/workspace\/([^/]+)\/upload-link$/))
      return answered(
        String(body.link).includes("127.0.0.1")
          ? json({ success: false, error: "Private addresses are not fetched.", document: null })
          : reply(uploadLink, { success: true, error: null, document: null }),
      );
    return false;
  }

  private searchState(slug: string): Out<typeof getSearchState> {
    const { length } = this.state.documents[slug] ?? [];
    return { documents: length, embedded: length, embedder: { state: "ready", fault: null } };
  }

  private counts(): Out<typeof listDocumentCounts>["counts"] {
    return this.state.workspaces.map(({ id, slug }) => {
      const list = this.state.documents[slug] ?? [];
      return {
        workspaceId: id,
        total: list.length,
        failed: list.filter((each) => each.state === "failed").length,
        documents: list.filter((each) => searchable.has(each.state)).length,
        pending: list.filter((each) => inProgress.has(each.state)).length,
      };
    });
  }

  private upload(slug: string, { raw, json, reply }: FakeCall): void {
    const name = /filename="([^"]+)"/.exec(raw.toString("latin1"))?.[1] ?? "file";
    if (name.endsWith(".exe"))
      return json(
        { success: false, error: "Files of this type cannot be read.", document: null },
        415,
      );
    this.lastId += 1;
    (this.state.documents[slug] ??= []).unshift({
      ...documents()[4]!,
      documentId: `00000000-0000-4000-8000-${String(this.lastId).padStart(12, "0")}`,
      title: name,
      state: "embedded",
      bytes: raw.length,
      pages: null,
      addedAt: new Date().toISOString(),
    });
    this.state.change({ type: "workspace-documents.changed", workspaceId: 1 });
    reply(uploadAndEmbed, { success: true, error: null, document: { id: "x", location: "y" } });
  }

  private text(slug: string, id: string, query: URLSearchParams): Out<typeof getDocumentText> {
    const original = this.state.originals[id];
    if (original) return textOfOriginal(id, original, query);
    const document =
      this.state.documents[slug]?.find((each) => each.documentId === id) ?? documents()[4]!;
    const start = Number(query.get("start") ?? 0);
    const end = Math.min(harbourText.length, Number(query.get("end") ?? harbourText.length));
    const isPdf = document.mime === "application/pdf" && this.state.pdf !== null;
    const isMarked = isPdf && query.has("markStart");
    const isShort = Number(query.get("markEnd")) - Number(query.get("markStart")) < 150;
    return {
      title: document.title,
      mime: isPdf ? "application/pdf" : "text/plain",
      text: harbourText.slice(start, end),
      start,
      end,
      length: harbourText.length,
      pages: isPdf ? 3 : null,
      page: isMarked ? 2 : isPdf ? 1 : null,
      lines: null,
      pageSize: null,
      headingPath: [],
      rectangles: isMarked
        ? [
            { page: 2, x: 72, y: 593, width: 400, height: 13 },
            { page: 2, x: 72, y: 575, width: 252, height: 13 },
          ].slice(0, isShort ? 1 : 2)
        : [],
      originalUrl: isPdf ? "/api/blob/signed" : null,
      ...this.state.versions.known[id],
    };
  }
}
