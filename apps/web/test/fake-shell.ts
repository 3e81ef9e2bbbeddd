import {
  listTrash,
  restoreThread,
  searchDocumentTexts,
  searchEverything,
  type DocumentHit,
  type MarkedThread,
  type Out,
} from "@carrel/contracts";
import type { FakeCall } from "./fake-call.ts";
import { onePixel } from "./one-pixel.ts";

type Found = Out<typeof searchEverything>;

/**
 * The sidebar's and palette's part of the fake gateway: deleted threads, search, workspace
 * pictures.
 */
export class FakeShell {
  trashDays = 0;
  trash: Record<string, (MarkedThread & { deletedAt: string; purgedAt: string })[]> = {};
  found: Found = { workspaces: [], threads: [], messages: [] };
  /** Places in documents, found by any term. */
  places: DocumentHit[] = [];
  /** Whether the search index lacks documents. */
  isRebuilding = false;
  /** Rejects searches in documents with this text. */
  refusePlaces: string | null = null;
  /** Terms of searches in documents. */
  placeTerms: string[] = [];
  /** Search terms in the order requested. */
  terms: string[] = [];
  /** While set, searches wait for it; and the terms of aborted ones. */
  searchHeld: Promise<void> | null = null;
  abandoned: string[] = [];
  /** Rejects the next call of this kind with this text. */
  refuse: { kind: "new" | "rename" | "mark" | "delete" | "restore"; words: string } | null = null;
  picture = onePixel;
  constructor(private threads: () => Record<string, MarkedThread[]>) {}

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, json, reply, text } = call;
    const kind = /\/thread\/new$/.test(path)
      ? "new"
      : /\/thread\/[^/]+\/update$/.test(path)
        ? "rename"
        : /\/thread\/[^/]+\/mark$/.test(path)
          ? "mark"
          : /\/restore$/.test(path)
            ? "restore"
            : method === "DELETE" && /\/thread(-bulk-delete|\/[^/]+)$/.test(path)
              ? "delete"
              : null;
    if (this.refuse !== null && kind === this.refuse.kind) {
      const { words } = this.refuse;
      this.refuse = null;
      json({ error: words, message: words, thread: null }, 400);
      return true;
    }
    if (path === "/workspace/search") {
      this.search(call);
      return true;
    }
    if (path === "/documents/search") {
      this.placeTerms.push(String(call.body.searchTerm));
      if (this.refusePlaces === null)
        reply(searchDocumentTexts, { hits: this.places, isRebuilding: this.isRebuilding });
      else json({ error: this.refusePlaces }, 400);
      return true;
    }
    const slug = /^\/workspace\/([^/]+)\//.exec(path)?.[1] ?? "";
    const bin = (this.trash[slug] ??= []);
    if (method === "GET" && /^\/workspace\/[^/]+\/trash$/.test(path)) {
      reply(listTrash, { days: this.trashDays, threads: bin });
      return true;
    }
    if (method === "GET" && /^\/workspace\/[^/]+\/pfp$/.test(path)) {
      call.response.writeHead(200, { "Content-Type": "image/png" });
      call.response.end(this.picture);
      return true;
    }
    const restored = /^\/workspace\/[^/]+\/thread\/([^/]+)\/restore$/.exec(path)?.[1];
    const purged =
      method === "DELETE" ? /^\/workspace\/[^/]+\/trash\/([^/]+)$/.exec(path)?.[1] : undefined;
    const thread = bin.find((each) => each.slug === (restored ?? purged));
    if (restored ?? purged) {
      if (!thread) {
        text("Workspace thread does not exist.", 404);
        return true;
      }
      this.trash[slug] = bin.filter((each) => each !== thread);
      if (restored) (this.threads()[slug] ??= []).unshift(thread);
      if (restored) reply(restoreThread, { thread });
      else text();
      return true;
    }
    if (kind === "delete" && this.trashDays > 0) {
      const slugs = path.endsWith("-bulk-delete")
        ? (call.body.slugs as string[])
        : [path.split("/").at(-1)!];
      const now = Date.now();
      bin.unshift(
        ...(this.threads()[slug] ?? [])
          .filter((each) => slugs.includes(each.slug))
          .map((each) => ({
            ...each,
            deletedAt: new Date(now).toISOString(),
            purgedAt: new Date(now + this.trashDays * 86_400_000).toISOString(),
          })),
      );
    }
    return false;
  }

  private search({ body, reply, response }: FakeCall): void {
    const term = String(body.searchTerm);
    this.terms.push(term);
    response.on("close", () => {
      if (!response.writableFinished) this.abandoned.push(term);
    });
    const answer = (): void => {
      if (!response.destroyed)
        reply(
          searchEverything,
          term.length < 3 ? { workspaces: [], threads: [], messages: [] } : this.found,
        );
    };
    if (this.searchHeld) void this.searchHeld.then(answer);
    else answer();
  }
}
