import type { ServerResponse } from "node:http";
import {
  createWidget,
  createWidgetSecret,
  deleteWidget,
  deleteWidgetChat,
  deleteWidgetSecret,
  deleteWidgetSession,
  getWidgetUsage,
  listWidgetChats,
  listWidgets,
  listWidgetSessions,
  updateWidget,
  type Out,
  type WidgetChatWire,
  type WorkspaceWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

type Widget = Out<typeof listWidgets>["embeds"][number];
type Session = Out<typeof listWidgetSessions>["sessions"][number];

const hour = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * hour).toISOString();

const session = (n: number, more: Partial<Session> = {}): Session => ({
  session_id: `session-${n}`,
  chats: 2,
  first_prompt: `Visit ${n}: when are you open?`,
  username: null,
  verified: false,
  host: "https://www.example.com",
  startedAt: ago(n + 1),
  lastAt: ago(n),
  ...more,
});

const chat = (id: number, more: Partial<WidgetChatWire> = {}): WidgetChatWire => ({
  id,
  prompt: `Question ${id}: when are you open?`,
  response: JSON.stringify({ text: `From 9 to 17 [${id}].`, type: "query", sources: [] }),
  session_id: "session-1",
  include: true,
  connection_information: "{}",
  embed_id: 1,
  usersId: null,
  createdAt: ago(id),
  ...more,
});

const use = { visitors: 4, inputTokens: 8_000, outputTokens: 900, cost: 0.032, unpriced: 0 };
const usage: Out<typeof getWidgetUsage> = {
  totals: { ...use, chats: 9, unpriced: 1 },
  days: [
    { ...use, day: "2026-11-20", chats: 6 },
    { ...use, day: "2026-11-21", chats: 3, visitors: 1, cost: null, unpriced: 1 },
  ],
};

/** Chat widgets of the fake gateway; none at first. */
export class FakeWidgets {
  widgets: Widget[] = [];
  sessions: Session[] = [
    session(1, { username: "Ada Visitor", verified: true }),
    session(2, { username: "ada@example.com" }),
    ...Array.from({ length: 53 }, (_, index) => session(index + 3)),
  ];
  chats = [chat(2), chat(1, { include: false })];
  /** Mutating requests, in order. */
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];

  isListRequired = false;

  /** Periods for which usage was requested. */
  readonly usagePeriods: string[] = [];

  constructor(private readonly workspaces: () => WorkspaceWire[]) {}

  fill(): void {
    this.add({
      name: "Help desk",
      workspace_id: 1,
      allowlist_domains: '["https://www.example.com","https://shop.example.com"]',
      page_enabled: true,
      max_chats_per_day: 500,
      limit_messages: { day: "Please come back tomorrow." },
      greeting: "Ask us anything.",
      suggested_messages: ["When are you open?"],
      appearance: { assistantName: "Robin", textSize: "14" },
      _count: { embed_chats: 110 },
    });
    this.add({ workspace_id: 2, enabled: false, allow_any_origin: true });
  }

  private add(fields: Partial<Widget>): Widget {
    const id = this.widgets.length + 1;
    const workspaceId = Number(fields.workspace_id);
    const widget: Widget = {
      id,
      uuid: `00000000-0000-4000-8000-00000000000${id}`,
      enabled: true,
      chat_mode: "query",
      allowlist_domains: null,
      allow_model_override: false,
      allow_temperature_override: false,
      allow_prompt_override: false,
      max_chats_per_day: 1000,
      max_chats_per_session: 50,
      message_limit: 20,
      createdBy: 1,
      usersId: null,
      createdAt: ago(48),
      name: null,
      max_chats_per_visitor: null,
      max_chats_per_address: 200,
      max_message_length: 4000,
      limit_messages: {},
      show_sources: false,
      allow_any_origin: false,
      only_signed_visitors: false,
      page_enabled: false,
      has_identity_secret: false,
      greeting: null,
      suggested_messages: [],
      appearance: {},
      _count: { embed_chats: 0 },
      ...fields,
      workspace_id: workspaceId,
      workspace: this.workspaces().find((workspace) => workspace.id === workspaceId)!,
    };
    this.widgets = [widget, ...this.widgets];
    return widget;
  }

  private change(id: number, fields: Partial<Widget>): void {
    this.widgets = this.widgets.map((each) => (each.id === id ? { ...each, ...fields } : each));
  }

  /** The preview, which shows what the app sends it; returns true if it answered. */
  servePage(path: string, response: ServerResponse): boolean {
    if (!path.startsWith("/embed/preview")) return false;
    const isScript = path.endsWith(".js");
    response.writeHead(200, {
      "Content-Type": isScript ? "text/javascript" : "text/html",
      "Content-Security-Policy": "default-src 'none'; script-src 'self'; frame-ancestors 'self'",
    });
    response.end(
      isScript
        ? "onmessage = ({ data }) => { document.querySelector('pre').textContent = JSON.stringify(data, null, 1); };"
        : `<!doctype html><html lang="en"><title>Preview</title><main><h1>Preview</h1><pre></pre></main><script src="/embed/preview.js"></script>`,
    );
    return true;
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply, query } = call;
    if (!/^\/embeds?(\/|$)/.test(path)) return this.handleExport(call);
    const at = matcher(call);
    if (at("GET", /^\/embeds$/))
      return answered(
        reply(listWidgets, { embeds: this.widgets, allowlist_required: this.isListRequired }),
      );
    if (at("POST", /^\/embed\/chats$/)) {
      const chats = this.chats.map((each) => ({
        ...each,
        embed_config: { workspace: { name: "Heat-pump retrofit" } },
      }));
      return answered(reply(listWidgetChats, { chats, hasPages: false, totalChats: chats.length }));
    }
    const ofWidget = at("GET", /^\/embeds\/(\d+)\/sessions$/);
    if (ofWidget) {
      const start = Number(query.get("cursor") ?? 0);
      const sessions = ofWidget[1] === "1" ? this.sessions : [];
      const nextCursor = sessions.length > start + 50 ? String(start + 50) : null;
      return answered(
        reply(listWidgetSessions, { sessions: sessions.slice(start, start + 50), nextCursor }),
      );
    }
    if (at("GET", /^\/embeds\/\d+\/usage$/)) {
      this.usagePeriods.push(`${query.get("from")} ${query.get("to")}`);
      return answered(reply(getWidgetUsage, usage));
    }
    this.sent.push({ method, path, body });
    const id = Number(path.split("/").find((part) => /^\d+$/.test(part)));
    if (at("POST", /^\/embeds\/new$/))
      return answered(reply(createWidget, { embed: this.add(body), error: null }));
    if (at("POST", /^\/embed\/update\/\d+$/)) {
      const { allowlist_domains: sites, ...fields } = body as Partial<Widget> & {
        allowlist_domains?: unknown;
      };
      this.change(id, {
        ...fields,
        ...(Array.isArray(sites) && {
          allowlist_domains: sites.length === 0 ? null : JSON.stringify(sites),
        }),
      });
      return answered(reply(updateWidget, { success: true, error: null }));
    }
    if (at("POST", /\/identity-secret$/)) {
      this.change(id, { has_identity_secret: true });
      return answered(reply(createWidgetSecret, { secret: "an-identity-secret" }));
    }
    const done = { success: true, error: null } as const;
    if (at("DELETE", /\/identity-secret$/)) {
      this.change(id, { has_identity_secret: false });
      return answered(reply(deleteWidgetSecret, done));
    }
    if (at("DELETE", /^\/embed\/chats\/\d+$/)) {
      this.chats = this.chats.filter((each) => each.id !== id);
      return answered(reply(deleteWidgetChat, done));
    }
    if (at("DELETE", /\/sessions\//)) {
      this.sessions = this.sessions.filter(({ session_id }) => !path.endsWith(`/${session_id}`));
      return answered(reply(deleteWidgetSession, done));
    }
    this.widgets = this.widgets.filter((each) => each.id !== id);
    return answered(reply(deleteWidget, done));
  }

  private handleExport({ path, query, response }: FakeCall): boolean {
    if (path !== "/system/export-chats" || query.get("chatType") !== "embed") return false;
    this.sent.push({ method: "GET", path, body: Object.fromEntries(query) });
    response.writeHead(200, { "Content-Type": "text/csv" });
    response.end("id,prompt\n");
    return true;
  }
}
