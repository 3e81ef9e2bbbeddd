import type { ServerResponse } from "node:http";
import {
  cancelRun,
  checkConnection,
  createConnection,
  getConnection,
  listChoices,
  listConnections,
  listConnectors,
  listSourceItems,
  pauseRun,
  previewConnection,
  removeConnection,
  resumeRun,
  retryRun,
  startRun,
  updateConnection,
  type ConnectionFrame,
  type ConnectionRunWire,
  type ConnectionWire,
  type FaultWire,
  type Out,
  type SourceItemWire,
} from "@carrel/contracts";
import { answered, matcher, openStream, type FakeCall } from "./fake-call.ts";
import { connectionWire, connectors, runWire } from "./fake-connectors.ts";

const actions = {
  start: startRun,
  pause: pauseRun,
  resume: resumeRun,
  cancel: cancelRun,
  retry: retryRun,
};

/** Sources of the fake gateway's workspace; none at first. */
export class FakeConnections {
  connectors = connectors();
  connections: ConnectionWire[] = [];
  /** Earlier runs of all sources. */
  earlier: ConnectionRunWire[] = [];
  items: SourceItemWire[] = [];
  /** Why a source can't be read, as in the catalogue of errors; null: it can. */
  refusal: string | null = null;
  preview: Out<typeof previewConnection> = {
    items: 214,
    bytes: 18_400_000,
    skipped: [
      { fault: { code: "source.robots", params: { host: "docs.example.com" } }, count: 12 },
    ],
    isComplete: false,
    examples: [
      { title: "Night tariff", address: "https://docs.example.com/guide/night" },
      { title: "Heat pumps", address: "https://docs.example.com/guide/pumps" },
    ],
    permissions: false,
    access: null,
  };
  /** Bodies and paths of mutating requests, in order. */
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  private readonly streams = new Set<ServerResponse>();

  /** Open connections to the progress of imports. */
  get watchers(): number {
    return this.streams.size;
  }

  report(frame: ConnectionFrame): void {
    if (frame.type === "connection_run") this.setRun(frame.run);
    for (const each of this.streams) each.write(`data: ${JSON.stringify(frame)}\n\n`);
  }

  setRun(run: ConnectionRunWire): void {
    this.change(run.connectionId, { run, documents: run.fetched + run.unchanged });
  }

  /** A running import, a finished one with failures, a failed one, and one by somebody else. */
  fill(): void {
    const ids = [1, 2, 3, 4].map((n) => connectionWire(n).id);
    this.connections = [
      connectionWire(1, {
        name: "docs.example.com/guide",
        settings: { url: "https://docs.example.com/guide/" },
        documents: 87,
        run: runWire(ids[0]!, {
          state: "running",
          isListed: false,
          found: 214,
          fetched: 87,
          skipped: 9,
          endedAt: null,
        }),
      }),
      connectionWire(2, {
        connector: "github",
        name: "harbour/handbook",
        settings: { repo: "https://github.com/harbour/handbook" },
        hasCredential: true,
        run: runWire(ids[1]!, { failed: 3, fetched: 195 }),
      }),
      connectionWire(3, {
        connector: "confluence",
        name: "Facility wiki",
        documents: 0,
        run: runWire(ids[2]!, {
          state: "failed",
          found: 0,
          fetched: 0,
          skipped: 0,
          bytes: 0,
          fault: { code: "source.denied", params: { host: "wiki.example.com", status: 401 } },
        }),
      }),
      connectionWire(4, { mayChange: false, ownerId: 7 }),
    ];
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, response, json, reply } = call;
    const at = matcher(call);
    if (at("GET", /^\/connectors$/))
      return answered(reply(listConnectors, { connectors: this.connectors }));
    const [, rest] = /^\/workspace\/[^/]+\/connections(\/.*)?$/.exec(path) ?? [];
    if (!/^\/workspace\/[^/]+\/connections(\/|$)/.test(path)) return false;
    if (method !== "GET") this.sent.push({ method, path: rest ?? "", body });
    switch (`${method} ${rest ?? ""}`) {
      case "GET ":
        return answered(reply(listConnections, { connections: this.connections }));
      case "POST ":
        return answered(reply(createConnection, { connection: this.create(body) }));
      case "POST /check":
        return answered(
          reply(checkConnection, { success: this.refusal === null, error: this.refusal }),
        );
      case "POST /choices":
        return answered(
          this.refusal === null
            ? reply(listChoices, { choices: ["main", "release/2026"] })
            : json({ choices: [], error: this.refusal, success: false }),
        );
      case "POST /preview":
        return answered(reply(previewConnection, this.preview));
      case "GET /progress":
        this.streams.add(response);
        return answered(openStream(response, () => this.streams.delete(response)));
    }
    return this.handleOne(call, rest ?? "");
  }

  private handleOne(call: FakeCall, rest: string): boolean {
    const { method, query, body, json, reply } = call;
    const [, id = "", action = ""] = rest.split("/");
    const connection = this.connections.find((each) => each.id === id);
    if (!connection) return answered(json({ error: "This source doesn't exist." }, 404));
    if (method === "PUT") {
      const { credential, ...fields } = body as Partial<ConnectionWire> & { credential?: unknown };
      this.change(id, {
        ...fields,
        ...(credential !== undefined && { hasCredential: credential !== null }),
      });
      return answered(reply(updateConnection, { connection: this.find(id) }));
    }
    if (method === "DELETE") {
      this.connections = this.connections.filter((each) => each.id !== id);
      const documents = body.documents === true ? connection.documents : 0;
      return answered(reply(removeConnection, { success: true, documents }));
    }
    if (action === "items") {
      const state = query.get("state");
      const items = this.items.filter((each) => state === null || each.state === state);
      const first = Number(query.get("cursor") ?? 0);
      const next = first + Number(query.get("limit") ?? 100);
      return answered(
        reply(listSourceItems, {
          items: items.slice(first, next),
          reasons: this.reasons(),
          nextCursor: next < items.length ? String(next) : null,
        }),
      );
    }
    if (method === "GET") {
      const runs = [connection.run, ...this.earlier].filter((run) => run !== null);
      return answered(reply(getConnection, { connection, runs }));
    }
    return answered(
      reply(actions[action as keyof typeof actions], { run: this.act(connection, action) }),
    );
  }

  private reasons(): { fault: FaultWire; count: number }[] {
    const counts = new Map<string, number>();
    for (const { fault } of this.items)
      if (fault) counts.set(JSON.stringify(fault), (counts.get(JSON.stringify(fault)) ?? 0) + 1);
    return [...counts]
      .map(([fault, count]) => ({ fault: JSON.parse(fault) as FaultWire, count }))
      .toSorted((a, b) => b.count - a.count);
  }

  private act({ id, run }: ConnectionWire, action: string): ConnectionRunWire {
    const now = new Date().toISOString();
    const fresh = runWire(id, {
      id: "aaaaaaaa-0000-4000-8000-000000000002",
      state: "queued",
      isListed: action === "retry",
      found: action === "retry" ? (run?.failed ?? 0) : 0,
      fetched: 0,
      skipped: 0,
      bytes: 0,
      createdAt: now,
      startedAt: null,
      endedAt: null,
    });
    const next =
      action === "start" || action === "retry" || run === null
        ? fresh
        : action === "cancel"
          ? { ...run, state: "cancelled" as const, endedAt: now }
          : { ...run, state: action === "pause" ? ("paused" as const) : ("running" as const) };
    this.change(id, { run: next });
    return next;
  }

  private create(body: Record<string, unknown>): ConnectionWire {
    const connection = connectionWire(9, {
      connector: String(body.connector),
      name: typeof body.name === "string" ? body.name : "docs.example.com/guide",
      settings: body.settings as ConnectionWire["settings"],
      hasCredential: body.credential !== undefined,
      documents: 0,
    });
    const run = runWire(connection.id, {
      state: "queued",
      isListed: false,
      found: 0,
      fetched: 0,
      skipped: 0,
      bytes: 0,
      startedAt: null,
      endedAt: null,
    });
    this.connections = [{ ...connection, run }, ...this.connections];
    return this.find(connection.id);
  }

  private find(id: string): ConnectionWire {
    return this.connections.find((each) => each.id === id)!;
  }

  private change(id: string, fields: Partial<ConnectionWire>): void {
    this.connections = this.connections.map((each) =>
      each.id === id ? { ...each, ...fields } : each,
    );
  }
}
