import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import {
  changesCompleteHeader,
  changesSinceHeader,
  createWorkspace,
  getPasswordRules,
  listWorkspaces,
} from "@carrel/contracts";
import { sendBlob } from "./fake-blobs.ts";
import { openStream, readCall, type FakeCall } from "./fake-call.ts";
import { workspaceWire } from "./fake-data.ts";
import { FakeDocuments } from "./fake-documents.ts";
import { FakeGenerations } from "./fake-generations.ts";
import { FakeSettings } from "./fake-settings.ts";
import { FakeThreads } from "./fake-threads.ts";
import { GatewayState } from "./gateway-state.ts";
import { serveFile } from "./static-files.ts";

/** The gateway's strict content security policy, so that violations fail here first. */
const policy = (scripts: readonly string[] = []): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/**
 * A fake gateway: the calls that the web app makes, with their state in memory. It validates
 * nothing that the real gateway's tests cover. A real HTTP server rather than MSW or routed
 * requests: it serves the built app under the gateway's security policy, streams SSE that tests
 * hold or cut mid-frame, and serves several tabs at once.
 */
export class FakeGateway extends GatewayState {
  private readonly settingsCalls = new FakeSettings(this);
  private readonly threadCalls = new FakeThreads(this);
  private readonly generationCalls = new FakeGenerations(this);
  private readonly documentCalls = new FakeDocuments(this);
  private server?: Server;
  private readonly page: string;
  private readonly pagePolicy: string;
  url = "";

  constructor(private readonly dist: string) {
    super();
    this.page = readFileSync(join(dist, "index.html"), "utf8");
    const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(this.page) ?? [];
    const hash = createHash("sha256").update(script).digest("base64");
    this.pagePolicy = policy([`'sha256-${hash}'`]);
  }

  /** Handles requests of a listening server, until stopped. */
  serve(server: Server): void {
    this.server = server.on("request", this.handleRequest);
    this.url = urlOf(server);
  }
  /** Breaks all connections and accepts no more until `isDown` is reset. */
  goDown(): void {
    this.isDown = true;
    this.server?.closeAllConnections();
  }
  stop(): void {
    this.server?.off("request", this.handleRequest).closeAllConnections();
  }

  private readonly handleRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void this.serveRequest(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });

  private async serveRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) return void request.destroy();
    if (this.late > 0) await new Promise((resolve) => setTimeout(resolve, this.late / 2));
    const url = new URL(request.url ?? "/", this.url);
    response.setHeader("Content-Security-Policy", policy());
    if (!url.pathname.startsWith("/api/")) {
      if (this.widgets.servePage(url.pathname, response)) return;
      if (serveFile(this.dist, url.pathname, response)) return;
      const isOpen = this.password === null && !this.accounts.multiUser;
      response.writeHead(200, {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": this.pagePolicy,
      });
      response.end(isOpen ? this.page.replace("<html ", '<html data-auth="none" ') : this.page);
      return;
    }
    response.setHeader(changesSinceHeader, this.changesPosition);
    this.requests.push({
      method: request.method ?? "GET",
      path: url.pathname.slice(4),
      lastEventId: (request.headers["last-event-id"] as string | undefined) ?? null,
    });
    const call = await readCall(request, response, url, (answer) => {
      if (this.late > 0) setTimeout(answer, this.late / 2);
      else answer();
    });
    if ((await this.handlePublic(call)) || (await this.handle(call))) return;
    call.json({ error: `No such call: ${call.method} ${call.path}` }, 404);
  }

  /** Calls that need no session; without one, handles all others too. */
  private async handlePublic(call: FakeCall): Promise<boolean> {
    const { path } = call;
    if (path.startsWith("/blob/")) {
      sendBlob(this, call);
      return true;
    }
    if (path === "/password-rules") {
      call.reply(getPasswordRules, this.passwordRules);
      return true;
    }
    if (
      this.shares.handlePublic(call) ||
      (await this.admin.branding.handlePublic(call)) ||
      this.accounts.handle(call) ||
      (await this.admin.handle(call, this.workspaces)) ||
      this.settingsCalls.handlePublic(call)
    )
      return true;
    // Accounts replace the password of the instance.
    if (this.password === null || this.accounts.multiUser || call.bearer === "token") return false;
    call.json({ error: "No auth token found." }, 401);
    return true;
  }

  private async handle(call: FakeCall): Promise<boolean> {
    return (
      this.schedules.handle(call) ||
      this.agents.handle(call, this.settings) ||
      this.flowRuns.handle(call) ||
      this.flowTriggers.handle(call) ||
      this.flows.handle(call) ||
      this.plugins.handle(call) ||
      this.credentials.handle(call) ||
      (await this.workspaceSettings.handle(call)) ||
      (await this.chat.handle(call)) ||
      this.localModels.handle(call) ||
      this.memories.handle(call) ||
      this.notices.handle(call) ||
      this.shares.handle(call) ||
      this.usage.handle(call) ||
      this.webhooks.handle(call) ||
      this.hub.handle(call) ||
      this.mcp.handle(call) ||
      this.watches.handle(call) ||
      this.connections.handle(call) ||
      this.versions.handle(call) ||
      this.widgets.handle(call) ||
      this.recordedChats.handle(call) ||
      this.fallbacks.handle(call) ||
      this.shell.handle(call) ||
      (await this.library.handle(call)) ||
      this.index.handle(call) ||
      this.inspection.handle(call) ||
      this.settingsCalls.handle(call) ||
      (await this.threadCalls.handle(call)) ||
      this.generationCalls.handle(call) ||
      this.documentCalls.handle(call) ||
      this.handleWorkspaces(call)
    );
  }

  private async handleWorkspaces({
    path,
    query,
    body,
    reply,
    response,
  }: FakeCall): Promise<boolean> {
    if (path === "/workspaces") reply(listWorkspaces, { workspaces: this.workspaces });
    else if (path === "/workspace/new") {
      const name = String(body.name);
      const slug = name.toLowerCase().replace(/\W+/g, "-");
      const workspace = workspaceWire(this.workspaces.length + 1, name, slug);
      this.workspaces.push(workspace);
      reply(createWorkspace, { workspace, message: null });
    } else if (path === "/changes") {
      await this.changesHeld;
      const missed = this.changesSince(query.get("since"));
      if (missed !== null) response.setHeader(changesCompleteHeader, "1");
      openStream(response, () => this.changes.delete(response));
      response.write(missed ?? "");
      this.changes.add(response);
    } else return false;
    return true;
  }
}
