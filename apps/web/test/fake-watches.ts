import {
  createHook,
  listAllWatches,
  listSyncRuns,
  listWatches,
  removeHook,
  syncNow,
  toggleLiveSync,
  updateWatch,
  watchSource,
  type SyncRunWire,
  type WatchWire,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const day = 86_400;

/** What the fake gateway keeps in sync; off at first, and nothing watched. */
export class FakeWatches {
  enabled = false;
  /** The server refuses to change what is watched. */
  refuses = false;
  watches: WatchWire[] = [];
  runs: SyncRunWire[] = [
    {
      id: 2,
      status: "failed",
      change: null,
      fault: { code: "source.failing", params: { host: "stadtwerke.example", status: 500 } },
      startedAt: ago(3),
      endedAt: ago(3),
    },
    {
      id: 1,
      status: "success",
      change: "changed",
      fault: null,
      startedAt: ago(30),
      endedAt: ago(30),
    },
  ];
  /** Bodies and paths of mutating requests, in order. */
  readonly sent: { path: string; body: Record<string, unknown> }[] = [];
  private lastId = 0;
  /** Webhooks that were set up, or got a new secret. */
  private hooks = 0;

  constructor(private readonly documents: () => WorkspaceDocumentStatus[]) {}

  add(more: Partial<WatchWire> = {}): WatchWire {
    this.lastId += 1;
    const watch: WatchWire = {
      id: this.lastId,
      state: "waiting",
      document: null,
      connectionId: null,
      title: "Night tariff 2025",
      connector: "link",
      intervalSeconds: 7 * day,
      whenGone: "remove",
      nextSyncAt: ago(-30),
      lastSyncedAt: ago(2),
      lastChangedAt: ago(50),
      lastStatus: "success",
      fault: null,
      failures: 0,
      isMissing: false,
      hasHook: false,
      createdAt: ago(200),
      ...more,
    };
    this.watches = [...this.watches, watch];
    return watch;
  }

  addDocument({ documentId, docpath, title }: WorkspaceDocumentStatus, more = {}): WatchWire {
    return this.add({ document: { id: documentId, docpath: docpath ?? "" }, title, ...more });
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, body, json, path, reply, text } = call;
    const at = matcher(call);
    const page = {
      enabled: this.enabled,
      nextCursor: null,
      defaultIntervalSeconds: 7 * day,
    };
    if (at("GET", /^\/workspace\/[^/]+\/watches$/))
      return answered(reply(listWatches, { ...page, watches: this.watches }));
    if (at("GET", /^\/live-sync\/watches$/)) {
      const workspaces = [{ slug: "heat-pump-retrofit", name: "Heat-pump retrofit" }];
      const watches = this.watches.map((watch) => ({ ...watch, workspaces }));
      return answered(reply(listAllWatches, { ...page, watches }));
    }
    if (at("GET", /\/watches\/\d+\/runs$/))
      return answered(reply(listSyncRuns, { runs: this.runs }));
    const isWatch = /\/(watches\/\d+(\/sync)?|connections\/[^/]+\/(watch|hook))$/.test(path);
    if (!isWatch && !/\/(toggle-live-sync|update-watch-status)$/.test(path)) return false;
    this.sent.push({ path, body });
    if (this.refuses) return answered(json({ error: "The server is stopping." }, 500));
    if (path.endsWith("/toggle-live-sync")) {
      this.enabled = body.updatedStatus === true;
      return answered(reply(toggleLiveSync, { liveSyncEnabled: this.enabled }));
    }
    if (path.endsWith("/update-watch-status")) {
      this.watchDocument(String(body.docPath), body.watchStatus === true);
      return answered(text());
    }
    const connection = /connections\/([^/]+)\/watch$/.exec(path)?.[1];
    if (connection !== undefined)
      return answered(reply(watchSource, { watch: this.watchSource(connection, body) }));
    const hooked = /connections\/([^/]+)\/hook$/.exec(path)?.[1];
    if (hooked !== undefined) {
      const hasHook = method === "POST";
      this.watches = this.watches.map((each) =>
        each.connectionId === hooked ? { ...each, hasHook } : each,
      );
      this.hooks += hasHook ? 1 : 0;
      return answered(
        hasHook
          ? reply(createHook, { path: `/api/hooks/${hooked}`, secret: `s3cret-${this.hooks}` })
          : reply(removeHook, { success: true }),
      );
    }
    const id = Number(/watches\/(\d+)/.exec(path)?.[1]);
    const isSync = path.endsWith("/sync");
    this.watches = this.watches.map((each) =>
      each.id === id ? { ...each, ...(isSync ? { state: "syncing" as const } : body) } : each,
    );
    return answered(
      reply(isSync ? syncNow : updateWatch, {
        watch: this.watches.find((each) => each.id === id)!,
      }),
    );
  }

  private watchDocument(docpath: string, watched: boolean): void {
    const document = this.documents().find((each) => each.docpath === docpath)!;
    document.watched = watched;
    if (watched) this.addDocument(document, { lastSyncedAt: null, lastChangedAt: null });
    else this.watches = this.watches.filter((each) => each.document?.docpath !== docpath);
  }

  private watchSource(
    connectionId: string,
    { watched }: Record<string, unknown>,
  ): WatchWire | null {
    const before = this.watches.find((each) => each.connectionId === connectionId);
    if (watched === true && before !== undefined) {
      const again = { ...before, state: "waiting" as const, failures: 0, nextSyncAt: ago(0) };
      this.watches = this.watches.map((each) => (each === before ? again : each));
      return again;
    }
    if (watched === true) return this.add({ connectionId, title: "harbour/handbook" });
    this.watches = this.watches.filter((each) => each.connectionId !== connectionId);
    return null;
  }
}
