import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import type {
  GenerationFrame,
  SourceWire,
  TurnWire,
  WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { faultHeaders } from "./fault-of.ts";
import { FakeAccounts, type FakeCall } from "./fake-accounts.ts";
import { FakeAdmin } from "./fake-admin.ts";
import { FakeChat } from "./fake-chat.ts";
import { FakeLibrary } from "./fake-library.ts";
import { FakeIndex } from "./fake-index.ts";
import { FakeInspection } from "./fake-inspection.ts";
import { FakeMemories } from "./fake-memories.ts";
import { FakeShell } from "./fake-shell.ts";
import { FakeWorkspaces } from "./fake-workspaces.ts";
import {
  documents,
  harbourText,
  markdownAnswer,
  providers,
  sources,
  threadWire,
  workspaceWire,
} from "./fake-data.ts";

/** The gateway's strict content security policy, so that violations fail here first. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".bcmap": "application/octet-stream",
  ".pfb": "application/octet-stream",
};

interface Running {
  id: string;
  chatId: number;
  frames: string[];
  ended: boolean;
  listeners: Set<() => void>;
  slug: string;
  thread: string;
}

/**
 * A fake gateway: the calls that the web app makes, with their state in memory. It validates
 * nothing that the real gateway's tests cover. A real HTTP server rather than MSW or routed
 * requests: it serves the built app under the gateway's security policy, streams SSE that tests
 * hold or cut mid-frame, and serves several tabs at once.
 */
export class FakeGateway {
  accounts = new FakeAccounts();
  admin = new FakeAdmin(this.accounts, () => this.change({ type: "access.changed" }));
  chat = new FakeChat({ turns: {}, threads: {}, addThread: () => "" });
  password: string | null = null;
  workspaces = [
    workspaceWire(1, "Heat-pump retrofit", "heat-pump-retrofit"),
    workspaceWire(2, "Tenant handbook", "tenant-handbook"),
    workspaceWire(3, "Supplier contracts", "supplier-contracts"),
  ];
  threads: Record<string, ReturnType<typeof threadWire>[]> = {
    "heat-pump-retrofit": [
      threadWire(11, "Flow temperature, blocks", "flow"),
      threadWire(12, "Night tariff operation", "night"),
      threadWire(13, "Noise in the courtyards", "noise"),
    ],
  };
  shell = new FakeShell(() => this.threads);
  workspaceSettings = new FakeWorkspaces(
    () => this.workspaces,
    (messages) => {
      this.chat.suggestions = messages;
    },
  );
  index = new FakeIndex();
  inspection = new FakeInspection();
  memories = new FakeMemories();
  turns: Record<string, TurnWire[]> = {};
  documents: Record<string, WorkspaceDocumentStatus[]> = { "heat-pump-retrofit": documents() };
  library = new FakeLibrary(
    () => this.workspaces,
    (slug) => (this.documents[slug] ??= []),
    () => {
      this.change({ type: "library.changed" });
      for (const workspace of this.workspaces)
        this.change({ type: "workspace-documents.changed", workspaceId: workspace.id });
    },
  );
  settings: Record<string, unknown> = {};
  /** Cuts the next stream after this many frames, like a dropped connection. */
  cutAfter: number | null = null;
  /** Milliseconds between frames. */
  pace = 15;
  /** Latency of every answer in milliseconds: half before the request takes effect, half after. */
  late = 0;
  /** While set, answers pause after this many frames, so that a test can inspect them. */
  heldAfter: number | null = null;
  answer = markdownAnswer;
  sources: SourceWire[] = sources();
  failWith: { status: number } | { abort: string } | null = null;
  pdf: Buffer | null = null;
  requests: { method: string; path: string; lastEventId: string | null }[] = [];
  asked: Record<string, unknown>[] = [];
  /** Frames after the stages, before the text. */
  extraFrames: GenerationFrame[] = [];
  /**
   * The answer comes as one frame: `animated` does not close, so the app shows it as if it were
   * streamed.
   */
  whole: "animated" | "at once" | null = null;
  private running = new Map<string, Running>();
  private nextChat = 100;
  private nextDocument = 900_000;
  private changes = new Set<ServerResponse>();
  /** While set, new connections to the change stream wait for it. */
  changesHeld: Promise<void> | null = null;
  private progress = new Set<ServerResponse>();
  private server: Server;
  private dist: string;
  url = "";

  constructor(dist: string) {
    this.dist = dist;
    const addThread = (slug: string, name: string): string => {
      const thread = threadWire(
        80 + (this.threads[slug]?.length ?? 0),
        name,
        `fork-${this.threads[slug]?.length ?? 0}`,
      );
      (this.threads[slug] ??= []).push(thread);
      return thread.slug;
    };
    this.chat = new FakeChat({ turns: this.turns, threads: this.threads, addThread });
    this.server = createServer(
      (request, response) =>
        void this.handle(request, response).catch((error: unknown) => {
          response.statusCode = 500;
          response.end(String(error));
        }),
    );
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    const address = this.server.address();
    this.url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    return this.url;
  }
  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
  /** Frames of the last answer sent so far. */
  get written(): number {
    return [...this.running.values()].at(-1)?.frames.length ?? 0;
  }
  /** Open connections to the change stream. */
  get watchers(): number {
    return this.changes.size;
  }
  /** While set, requests for earlier turns wait for it. */
  earlierHeld: Promise<void> | null = null;
  /** Open connections to document progress. */
  get progressWatchers(): number {
    return this.progress.size;
  }
  change(frame: unknown): void {
    for (const each of this.changes) each.write(`data: ${JSON.stringify(frame)}\n\n`);
  }
  report(frame: unknown): void {
    for (const each of this.progress) each.write(`data: ${JSON.stringify(frame)}\n\n`);
  }
  addTurn(slug: string, thread: string, turn: Partial<TurnWire>): void {
    const key = `${slug}/${thread}`;
    this.nextChat += 1;
    (this.turns[key] ??= []).push({
      id: this.nextChat,
      question: "",
      answer: "",
      sources: [],
      sentAt: Date.now(),
      state: "done",
      error: null,
      generationId: null,
      mode: "chat",
      metrics: null,
      refused: false,
      ...turn,
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.late > 0) await new Promise((resolve) => setTimeout(resolve, this.late / 2));
    const afterwards = (answer: () => void): void => {
      if (this.late > 0) setTimeout(answer, this.late / 2);
      else answer();
    };
    const url = new URL(request.url ?? "/", this.url);
    response.setHeader("Content-Security-Policy", policy);
    if (!url.pathname.startsWith("/api/")) return this.file(url.pathname, response);
    const path = url.pathname.slice(4);
    const method = request.method ?? "GET";
    this.requests.push({
      method,
      path,
      lastEventId: (request.headers["last-event-id"] as string | undefined) ?? null,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const body =
      (request.headers["content-type"] ?? "").includes("json") && raw.length > 0
        ? (JSON.parse(raw.toString()) as Record<string, unknown>)
        : {};
    const json = (value: unknown, status = 200): void => {
      const written = JSON.stringify(value);
      afterwards(() => {
        response.writeHead(status, {
          "Content-Type": "application/json",
          ...faultHeaders(value, status),
        });
        response.end(written);
      });
    };
    const text = (value = "OK", status = 200): void =>
      afterwards(() => {
        response.writeHead(status, {
          "Content-Type": "text/plain",
          ...faultHeaders(value, status),
        });
        response.end(value);
      });
    const is = (wanted: string, pattern: RegExp): RegExpExecArray | null =>
      method === wanted ? pattern.exec(path) : null;
    let match: RegExpExecArray | null;

    const call: FakeCall = {
      method,
      path,
      query: url.searchParams,
      body,
      raw,
      bearer: /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null,
      response,
      json,
      text,
    };
    if (
      !path.startsWith("/blob/") &&
      ((await this.admin.branding(call)) ||
        this.accounts.handle(call) ||
        (await this.admin.handle(call, this.workspaces)))
    )
      return;
    if (
      this.password === null &&
      ((await this.workspaceSettings.handle(call)) || (await this.chat.handle(call)))
    )
      return;
    if (path === "/setup-complete")
      return json({
        results: {
          RequiresAuth: this.password !== null,
          MultiUserMode: false,
          ...this.memories.settings,
          ...this.settings,
        },
      });
    if (path === "/request-token")
      return body.password === this.password
        ? json({ valid: true, token: "token", message: null })
        : json({ valid: false, token: null, message: "[003] Invalid password provided" }, 401);
    if (path.startsWith("/blob/")) {
      response.writeHead(200, {
        "Content-Type": "application/pdf",
        "Content-Disposition": "attachment",
      });
      response.end(this.pdf ?? undefined);
      return;
    }
    if (this.password !== null && request.headers.authorization !== "Bearer token")
      return json({ error: "No auth token found." }, 401);
    if (
      this.password !== null &&
      ((await this.workspaceSettings.handle(call)) || (await this.chat.handle(call)))
    )
      return;
    if (
      this.memories.handle(call) ||
      this.shell.handle(call) ||
      (await this.library.handle(call)) ||
      this.index.handle(call) ||
      this.inspection.handle(call)
    )
      return;
    if (path === "/system/check-token") return text();
    if (path === "/workspaces") return json({ workspaces: this.workspaces });
    if (path === "/workspaces/document-counts")
      return json({
        counts: this.workspaces.map((w) => {
          const all = this.documents[w.slug] ?? [];
          return {
            workspaceId: w.id,
            total: all.length,
            failed: all.filter((d) => d.state === "failed").length,
            documents: all.filter((d) => ["searchable", "embedding", "embedded"].includes(d.state))
              .length,
            pending: all.filter((d) =>
              ["queued", "parsing", "parsed", "indexing", "embedding"].includes(d.state),
            ).length,
          };
        }),
      });
    if (path === "/system/providers") return json(providers(this.settings));
    if (path === "/system/accepted-document-types")
      return json({
        types: { "application/pdf": [".pdf"], "text/plain": [".txt"], "text/markdown": [".md"] },
      });
    if (path === "/system/update-env") {
      Object.assign(
        this.settings,
        Object.fromEntries(
          Object.entries(body).map(([key, value]) => [key, /Key$/.test(key) ? true : value]),
        ),
      );
      return json({ newValues: body, error: false });
    }
    if (path === "/system/custom-models")
      return json(
        body.apiKey === "sk-bad"
          ? { models: [], error: "Incorrect API key provided." }
          : { models: [{ id: "gpt-4.1-nano" }, { id: "gpt-4.1" }], error: null },
      );
    if (path === "/system/update-password") {
      this.password = body.usePassword ? String(body.newPassword) : null;
      return json({ success: true, error: null });
    }
    if (path === "/changes") {
      await this.changesHeld;
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(": hello\n\n");
      this.changes.add(response);
      response.on("close", () => this.changes.delete(response));
      return;
    }
    if (path === "/workspace/new") {
      const workspace = workspaceWire(
        this.workspaces.length + 1,
        String(body.name),
        String(body.name).toLowerCase().replace(/\W+/g, "-"),
      );
      this.workspaces.push(workspace);
      return json({ workspace, message: null });
    }

    if ((match = is("GET", /^\/workspace\/([^/]+)\/threads$/)))
      return json({ threads: this.threads[match[1]!] ?? [], defaultThreadChatCount: 0 });
    if ((match = is("POST", /^\/workspace\/([^/]+)\/thread\/new$/))) {
      const list = (this.threads[match[1]!] ??= []);
      const thread = threadWire(50 + list.length, "Thread", `thread-${list.length}`);
      list.unshift(thread);
      return json({ thread, message: null });
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/thread\/([^/]+)\/update$/))) {
      const [, slug, threadSlug] = match;
      const thread = this.threads[slug!]!.find((t) => t.slug === threadSlug)!;
      thread.name = String(body.name);
      return json({ thread, message: null });
    }
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/thread\/([^/]+)$/))) {
      const [, slug, threadSlug] = match;
      this.threads[slug!] = this.threads[slug!]!.filter((t) => t.slug !== threadSlug);
      return text();
    }
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/thread-bulk-delete$/))) {
      const slug = match[1]!;
      this.threads[slug] = this.threads[slug]!.filter(
        (t) => !(body.slugs as string[]).includes(t.slug),
      );
      return text();
    }
    if ((match = is("GET", /^\/workspace\/([^/]+)\/turns$/))) {
      if (url.searchParams.has("before")) await this.earlierHeld;
      const before = Number(url.searchParams.get("before") ?? Infinity);
      const all = (this.turns[`${match[1]}/${url.searchParams.get("thread") ?? ""}`] ?? []).filter(
        (t) => t.id < before,
      );
      const limit = Number(url.searchParams.get("limit") ?? 50);
      return json({
        turns: all
          .slice(-limit)
          .map((turn) => ({ ...turn, siblings: this.chat.siblings(turn.id) })),
        hasMore: all.length > limit,
      });
    }
    if ((match = is("GET", /^\/workspace\/([^/]+)\/thread\/([^/]+)\/generation$/))) {
      const thread = match[2] === "default" ? "" : match[2];
      const run = [...this.running.values()].find(
        (each) => !each.ended && each.slug === match![1] && each.thread === thread,
      );
      return json({
        generation: run ? { id: run.id, chatId: run.chatId, state: "running" } : null,
      });
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)(?:\/thread\/([^/]+))?\/stream-chat$/)))
      return this.ask(match[1]!, match[2] ?? "", body, response);
    if ((match = is("GET", /^\/generation\/([^/]+)\/stream$/))) {
      const run = this.running.get(match[1]!);
      return run
        ? this.relay(run, Number(request.headers["last-event-id"] ?? 0), response, null)
        : text("Not found", 404);
    }
    if ((match = is("DELETE", /^\/generation\/([^/]+)$/))) {
      const run = this.running.get(match[1]!);
      if (run) {
        run.ended = true;
        const turn = this.turns[`${run.slug}/${run.thread}`]!.find((t) => t.id === run.chatId)!;
        turn.state = "cancelled";
        for (const each of run.listeners) each();
        this.tell(run, "cancelled");
      }
      return json({ success: true });
    }
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/delete-chats$/))) {
      for (const key of Object.keys(this.turns))
        this.turns[key] = this.turns[key]!.filter(
          (t) => !(body.chatIds as number[]).includes(t.id),
        );
      return text();
    }
    if ((match = is("GET", /^\/workspace\/([^/]+)\/documents$/)))
      return json(this.library.page(match[1]!, url.searchParams));
    if ((match = is("GET", /^\/workspace\/([^/]+)\/documents\/([^/]+)\/text$/)))
      return json(this.text(match[1]!, match[2]!, url.searchParams));
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/documents\/([^/]+)$/))) {
      const [, slug, id] = match;
      this.documents[slug!] = this.documents[slug!]!.filter((d) => d.documentId !== id);
      return json({ success: true });
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/documents\/([^/]+)\/retry$/))) {
      const document = this.documents[match[1]!]!.find((d) => d.documentId === match![2])!;
      document.state = "queued";
      document.reason = null;
      return json({ success: true });
    }
    if ((match = is("GET", /^\/workspace\/([^/]+)\/embed-progress$/))) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(": hello\n\n");
      this.progress.add(response);
      response.on("close", () => this.progress.delete(response));
      return;
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/upload-and-embed$/))) {
      const name = /filename="([^"]+)"/.exec(raw.toString("latin1"))?.[1] ?? "file";
      if (name.endsWith(".exe"))
        return json(
          { success: false, error: "Files of this type cannot be read.", document: null },
          415,
        );
      (this.documents[match[1]!] ??= []).unshift({
        ...documents()[4]!,
        documentId: `00000000-0000-4000-8000-${String(++this.nextDocument).padStart(12, "0")}`,
        title: name,
        state: "embedded",
        bytes: raw.length,
        pages: null,
        addedAt: new Date().toISOString(),
      });
      this.change({ type: "workspace-documents.changed", workspaceId: 1 });
      return json({ success: true, error: null, document: { id: "x", location: "y" } });
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/upload-link$/)))
      return String(body.link).includes("127.0.0.1")
        ? json({ success: false, error: "Private addresses are not fetched.", document: null })
        : json({ success: true, error: null, document: null });
    return json({ error: `No such call: ${method} ${path}` }, 404);
  }

  private text(slug: string, id: string, query: URLSearchParams): unknown {
    const document = this.documents[slug]?.find((d) => d.documentId === id) ?? documents()[4]!;
    const start = Number(query.get("start") ?? 0);
    const end = Math.min(harbourText.length, Number(query.get("end") ?? harbourText.length));
    const isPdf = document.mime === "application/pdf" && this.pdf !== null;
    return {
      title: document.title,
      mime: isPdf ? "application/pdf" : "text/plain",
      text: harbourText.slice(start, end),
      start,
      end,
      length: harbourText.length,
      pages: isPdf ? 3 : null,
      page: isPdf ? (query.has("markStart") ? 2 : 1) : null,
      headingPath: [],
      rectangles:
        isPdf && query.has("markStart")
          ? [
              { page: 2, x: 72, y: 593, width: 400, height: 13 },
              { page: 2, x: 72, y: 575, width: 252, height: 13 },
            ].slice(0, Number(query.get("markEnd")) - Number(query.get("markStart")) < 150 ? 1 : 2)
          : [],
      originalUrl: isPdf ? "/api/blob/signed" : null,
    };
  }

  private tell(run: Running, state: string): void {
    this.change({
      type: "generation.changed",
      workspaceId: 1,
      threadId: this.threads[run.slug]?.find((t) => t.slug === run.thread)?.id ?? 1,
      generationId: run.id,
      state,
    });
  }

  private ask(
    slug: string,
    thread: string,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    if (this.failWith && "status" in this.failWith) {
      response.writeHead(this.failWith.status);
      response.end();
      return;
    }
    if (/^\/reset/.test(String(body.message))) {
      this.turns[`${slug}/${thread}`]?.splice(0);
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(
        `data: ${JSON.stringify({ uuid: "x", type: "textResponse", textResponse: "Chat memory was reset!", sources: [], close: true, error: false, action: "reset_chat" })}\n\n`,
      );
      return;
    }
    const chatId = ++this.nextChat;
    const id = `00000000-0000-4000-9000-${String(chatId).padStart(12, "0")}`;
    const run: Running = {
      id,
      chatId,
      frames: [],
      ended: false,
      listeners: new Set(),
      slug,
      thread,
    };
    const before = [...this.running.values()].filter(
      (each) => !each.ended && each.slug === slug && each.thread === thread,
    );
    this.running.set(id, run);
    const turn: TurnWire = {
      id: chatId,
      question: String(body.message),
      answer: "",
      sources: [],
      sentAt: Date.now(),
      state: before.length > 0 ? "queued" : "running",
      error: null,
      generationId: id,
      attachments: (body.attachments as TurnWire["attachments"]) ?? [],
      mode: body.mode === "query" ? "query" : "chat",
      metrics: null,
      refused: false,
    };
    if (body.replaces) this.chat.replace(`${slug}/${thread}`, Number(body.replaces), turn);
    else (this.turns[`${slug}/${thread}`] ??= []).push(turn);
    this.asked.push(body);
    setTimeout(() => this.tell(run, turn.state), 1);
    const metrics = {
      prompt_tokens: 900,
      completion_tokens: 412,
      total_tokens: 1312,
      outputTps: 66,
      duration: 6.2,
      model: "quotes",
      timestamp: new Date().toISOString(),
    };
    const parts = this.answer.match(/[\s\S]{1,12}/g) ?? [];
    const frames: GenerationFrame[] = [
      { type: "generationStarted", generationId: id, chatId, queued: before.length > 0 },
      { type: "generationStage", stage: "searching", documents: 24 },
      { type: "generationStage", stage: "reading", passages: 4, milliseconds: 1100 },
      { type: "generationStage", stage: "writing", passages: 4 },
      ...this.extraFrames,
      ...(this.whole !== null
        ? [
            {
              type: "textResponse",
              uuid: id,
              textResponse: this.answer,
              sources: this.sources,
              close: this.whole === "at once",
              error: false,
              chatId,
            } satisfies GenerationFrame,
          ]
        : parts.map((part): GenerationFrame => ({
            type: "textResponseChunk",
            uuid: id,
            textResponse: part,
            sources: [],
            close: false,
            error: false,
          }))),
      ...(this.failWith && "abort" in this.failWith
        ? [
            {
              type: "abort",
              uuid: id,
              textResponse: null,
              sources: [],
              close: true,
              error: this.failWith.abort,
            } as GenerationFrame,
          ]
        : this.whole !== null
          ? []
          : [
              {
                type: "textResponseChunk",
                uuid: id,
                textResponse: "",
                sources: this.sources,
                close: true,
                error: false,
              } as GenerationFrame,
              {
                type: "finalizeResponseStream",
                uuid: id,
                close: true,
                error: false,
                chatId,
                metrics,
              } as GenerationFrame,
            ]),
    ];
    const failed = this.failWith;
    const step = (): void => {
      if (run.ended) return;
      if (this.heldAfter !== null && run.frames.length >= this.heldAfter) {
        setTimeout(step, 20);
        return;
      }
      if (before.some((each) => !each.ended) && run.frames.length === 1) {
        setTimeout(step, 20);
        return;
      } // its place in the queue
      if (turn.state === "queued" && run.frames.length === 1) {
        turn.state = "running";
        this.tell(run, "running");
      }
      const frame = frames[run.frames.length];
      if (!frame) {
        run.ended = true;
        Object.assign(
          turn,
          failed && "abort" in failed
            ? { state: "failed", error: failed.abort }
            : { state: "done", answer: this.answer, sources: this.sources, metrics },
        );
        this.tell(run, turn.state);
      } else {
        run.frames.push(JSON.stringify(frame));
        if ("type" in frame && frame.type === "textResponseChunk")
          turn.answer += frame.textResponse;
        setTimeout(step, this.pace);
      }
      for (const each of [...run.listeners]) each();
    };
    this.relay(run, 0, response, this.cutAfter);
    this.cutAfter = null;
    step();
  }

  private relay(
    run: Running,
    after: number,
    response: ServerResponse,
    cutAfter: number | null,
  ): void {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    let sent = after;
    const push = (): void => {
      while (sent < run.frames.length) {
        response.write(`id: ${sent + 1}\ndata: ${run.frames[sent]}\n\n`);
        sent += 1;
        if (cutAfter !== null && sent >= cutAfter) {
          run.listeners.delete(push);
          response.destroy();
          return;
        }
      }
      if (run.ended) {
        run.listeners.delete(push);
        response.end();
      }
    };
    run.listeners.add(push);
    response.on("close", () => run.listeners.delete(push));
    push();
  }

  private file(path: string, response: ServerResponse): void {
    const file = join(this.dist, path);
    const found =
      existsSync(file) && statSync(file).isFile() ? file : join(this.dist, "index.html");
    const type = types[extname(found)] ?? "application/octet-stream";
    if (existsSync(`${found}.br`)) {
      response.writeHead(200, { "Content-Type": type, "Content-Encoding": "br" });
      response.end(readFileSync(`${found}.br`));
      return;
    }
    response.writeHead(200, { "Content-Type": type });
    createReadStream(found).pipe(response);
  }
}
