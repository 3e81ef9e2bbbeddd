import {
  applyHubItem,
  checkHub,
  getHubSettings,
  importHubItem,
  listOwnHubItems,
  preparePublication,
  previewHubItem,
  publishHubItem,
  renderFault,
  searchHub,
  toImportId,
  updateHubSettings,
  type HubCard,
  type HubItemType,
  type HubPreview,
  type HubSettings,
} from "@carrel/contracts";
import { answered, type FakeCall } from "./fake-call.ts";

const card = (
  itemType: HubItemType,
  id: string,
  name: string,
  more: Partial<HubCard> = {},
): HubCard => ({
  id,
  importId: toImportId(itemType, id),
  itemType,
  name,
  description: `${name}, as a team of editors uses it every day.`,
  tags: ["writing"],
  visibility: "public",
  verified: false,
  creatorUsername: "harbour-house",
  ...more,
});

/** Text that would do something if it were read as HTML. */
export const hostileText =
  "<img src=x onerror=\"document.title='hacked'\"><b>Answer in rhymes.</b>";

const digest = "0".repeat(64);
const missing = { code: "hub.item-missing", params: { hub: "hub" } };

/** The community hub of the fake gateway; off at first. */
export class FakeHubCalls {
  settings: HubSettings = {
    source: { kind: "off" },
    downloads: "off",
    connectionKey: null,
    folders: ["/srv/hub"],
  };
  cards: HubCard[] = [];
  previews: Record<string, HubPreview> = {};
  /** Places in what is published that look like secrets. */
  secrets: string[] = [];
  target: "server" | "folder" | "repository" = "server";
  /** Of the next request for items, previews or imports. */
  fault: { status: number; code: string; params?: Record<string, string> } | null = null;
  /** Bodies and paths of requests that change something, in order. */
  readonly sent: { path: string; body: Record<string, unknown> }[] = [];

  fill(): void {
    this.settings = {
      ...this.settings,
      source: { kind: "server", address: "https://hub.example.com/v1" },
    };
    this.cards = [
      card("system-prompt", "rhymes", "Rhyming assistant", { prompt: hostileText, verified: true }),
      card("system-prompt", "prose", "Plain prose", { prompt: "Write plainly.", tags: [] }),
      card("system-prompt", "team", "House style", { visibility: "private" }),
      card("slash-command", "sum", "Sum up", { command: "/sum-up", prompt: "Sum it up." }),
      card("agent-flow", "weather", "Weather report", { tags: ["nature", "reports"] }),
      card("agent-skill", "tides", "Tide tables", { verified: true, tags: ["nature"] }),
    ];
    for (let n = 1; n <= 30; n += 1)
      this.cards.push(card("slash-command", `c${n}`, `Command ${n}`, { command: `/c-${n}` }));
    this.previews = {
      rhymes: { type: "system-prompt", prompt: hostileText, workspace: null },
      sum: {
        type: "slash-command",
        command: "/sum-up",
        prompt: "Sum it up.",
        description: "",
        state: "taken",
        current: "Sum it up in one sentence.",
      },
      weather: {
        type: "agent-flow",
        name: "Weather report",
        description: "",
        blocks: [
          { type: "start", title: null, depth: 0 },
          { type: "carrel-loop", title: "Each city", depth: 0 },
          { type: "apiCall", title: "Get the weather", depth: 1 },
          { type: "llmInstruction", title: null, depth: 0 },
        ],
        sendsTo: [{ method: "GET", address: "https://weather.example.com" }],
        usesModel: true,
        credentials: ["weather-key", "mail-key"],
        missingCredentials: ["mail-key"],
        missingFlows: [],
        state: "new",
      },
      tides: {
        type: "agent-skill",
        bundle: {
          name: "Tide tables",
          version: "1.2.0",
          permissions: { hosts: ["tides.example.com"], storage: true, secrets: ["TIDE_KEY"] },
          files: [
            { path: "handler.js", bytes: 420, text: "module.exports.runtime = {};\n" },
            { path: "logo.png", bytes: 12_000, text: null },
            { path: "plugin.json", bytes: 640, text: '{ "name": "Tide tables" }' },
          ],
        },
      },
    };
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, query, reply, json } = call;
    if (!path.startsWith("/community-hub/")) return false;
    const verb = path.slice("/community-hub/".length);
    if (method !== "GET" && verb !== "preview" && verb !== "check") this.sent.push({ path, body });
    if (this.fault !== null && verb !== "configuration") {
      const { status, ...fault } = this.fault;
      this.fault = null;
      return answered(json({ success: false, error: renderFault(fault) }, status));
    }
    if (method === "GET" && verb === "configuration")
      return answered(reply(getHubSettings, this.settings));
    if (method === "PUT" && verb === "configuration") return this.save(call);
    if (verb === "check")
      return answered(
        reply(checkHub, {
          success: true,
          fault: null,
          items: this.cards.length,
          faults: [{ item: "slash-command/odd", fault: missing }],
        }),
      );
    if (verb === "search") return this.search(query, call);
    if (verb === "items")
      return answered(
        reply(listOwnHubItems, {
          success: true,
          createdByMe: {
            systemPrompts: { items: this.cards.slice(1, 2), hasMore: false, totalCount: 1 },
          },
          teamItems: [{ teamId: "1", teamName: "Editors", items: {} }],
        }),
      );
    if (verb === "preview") return this.preview(call);
    const target = String(body.importId).split(":")[2] ?? "";
    if (verb === "apply")
      return answered(
        reply(applyHubItem, {
          success: true,
          error: null,
          state: "created",
          target: this.targetOf(target, body),
        }),
      );
    if (verb === "import")
      return answered(
        reply(importHubItem, { success: true, error: null, state: "created", target }),
      );
    const [type, step] = verb.split("/");
    if (step === "prepare")
      return answered(
        reply(preparePublication, {
          type: type as "slash-command",
          target: this.target,
          itemId: "item",
          path: `${type}/item/item.json`,
          replaces: false,
          content: JSON.stringify({ itemType: type, ...body }, null, 2),
          secrets: this.secrets,
        }),
      );
    return answered(
      reply(publishHubItem, { success: true, error: null, item: { id: "published1" } }),
    );
  }

  private targetOf(id: string, body: Record<string, unknown>): string {
    const { workspaceSlug } = (body.options ?? {}) as { workspaceSlug?: string };
    return workspaceSlug ?? (id === "sum" ? "/sum-up" : "11111111-1111-4111-8111-111111111111");
  }

  private save({ body, reply }: FakeCall): true {
    const { connectionKey, ...rest } = body as Partial<HubSettings>;
    this.settings = {
      ...this.settings,
      ...rest,
      ...(connectionKey !== undefined && {
        connectionKey: connectionKey === "" ? null : `********${connectionKey!.slice(-4)}`,
      }),
    };
    return answered(reply(updateHubSettings, this.settings));
  }

  private search(query: URLSearchParams, { reply }: FakeCall): true {
    const text = (query.get("search") ?? "").toLowerCase();
    const offset = Number(query.get("offset"));
    const found = this.cards.filter(
      ({ itemType, name }) => itemType === query.get("type") && name.toLowerCase().includes(text),
    );
    return answered(
      reply(searchHub, {
        items: found.slice(offset, offset + 24),
        total: found.length,
        hasUnlisted: true,
      }),
    );
  }

  private preview({ body, reply, json }: FakeCall): true {
    const { importId, workspaceSlug } = body as { importId: string; workspaceSlug?: string };
    const item = this.cards.find((each) => each.importId === importId);
    const preview = item && this.previews[item.id];
    if (item === undefined || preview === undefined)
      return answered(json({ success: false, error: renderFault(missing) }, 404));
    const isBlocked = preview.type === "agent-skill" && this.settings.downloads === "off";
    return answered(
      reply(previewHubItem, {
        item,
        digest,
        preview: isBlocked
          ? { type: "agent-skill", bundle: null }
          : preview.type === "system-prompt" && workspaceSlug !== undefined
            ? {
                ...preview,
                workspace: {
                  slug: workspaceSlug,
                  name: "Heat-pump retrofit",
                  currentPrompt: "Answer from the documents.",
                  usesDefault: true,
                },
              }
            : preview,
        fault: isBlocked ? { code: "hub.downloads-off" } : null,
      }),
    );
  }
}
