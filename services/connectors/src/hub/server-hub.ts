import {
  CarrelError,
  clipText,
  hubItemId,
  hubItemTypes,
  hubListNames,
  type HubItemType,
} from "@carrel/contracts";
import type { ContentClient, ContentRequest, ContentResponse } from "@carrel/egress";
import { z } from "zod";
import { readJson } from "../connector/read-json.ts";
import { isTooLarge, throwStatus, toSourceFault } from "../connector/source-fault.ts";
import { bundleLimits, tooLarge, type BundleFile } from "./bundle-files.ts";
import { readItem, type HubItem, type SkillItem } from "./hub-item.ts";
import {
  emptyListing,
  type FoundItem,
  type Hub,
  type ItemFault,
  type Listing,
  type Place,
} from "./hub.ts";
import { itemPath, toItemId, type NewItem } from "./new-item.ts";
import { readBundle } from "./read-bundle.ts";

const replyBytes = 4_000_000;
const replyMs = 20_000;
const downloadMs = 60_000;
/** Of one type; more aren't shown. */
const maxItems = 500;

const list = z
  .object({
    items: z.array(z.unknown()).catch([]),
    hasMore: z.boolean().catch(false),
    totalCount: z.number().int().min(0).optional().catch(undefined),
  })
  .catch({ items: [], hasMore: false, totalCount: undefined });
/** Old hubs have no flows. */
const lists = z.record(z.string(), z.unknown());
const pulled = z.object({
  item: z.unknown(),
  url: z.string().max(8_000).nullish().catch(null),
  error: z.string().nullish().catch(null),
});
const ownItems = z.object({
  createdByMe: lists.catch({}),
  teamItems: z
    .array(
      z.object({
        teamId: z.coerce.string().max(200),
        teamName: z.string().max(200).catch(""),
        items: lists.catch({}),
      }),
    )
    .max(100)
    .catch([]),
});
const refusal = z.object({ error: z.string().min(1) });
const created = z.object({ item: z.object({ id: z.coerce.string().max(200) }) });

export interface ServerHubOptions {
  /** Without a slash at its end. */
  address: string;
  key: string | null;
  content: ContentClient;
  signal: AbortSignal;
}

/** A server with the API of the AnythingLLM Community Hub. Its replies are untrusted. */
export class ServerHub implements Hub {
  readonly kind = "server";
  readonly name: string;
  readonly identity: string;

  constructor(private readonly options: ServerHubOptions) {
    this.name = new URL(options.address).host;
    this.identity = options.address;
  }

  async list() {
    const reply = await this.get("/explore");
    return this.readLists(readJson(reply, lists));
  }

  async listOwn() {
    if (this.options.key === null) return { mine: {}, teams: [] };
    const { createdByMe, teamItems } = readJson(await this.get("/items"), ownItems);
    return {
      mine: this.readLists(createdByMe).listing,
      teams: teamItems.map(({ teamId, teamName, items }) => ({
        id: teamId,
        name: clipText(teamName, 200),
        items: this.readLists(items).listing,
      })),
    };
  }

  private readLists(given: Readonly<Record<string, unknown>>): {
    listing: Listing;
    faults: ItemFault[];
  } {
    const listing = emptyListing();
    const faults: ItemFault[] = [];
    for (const type of hubItemTypes) {
      const { items: all, hasMore, totalCount } = list.parse(given[hubListNames[type]]);
      const items: HubItem[] = [];
      for (const each of all.slice(0, maxItems))
        try {
          items.push(readItem(this.name, each, { type }));
        } catch (fault) {
          const id = hubItemId.safeParse((each as { id?: unknown } | null)?.id).data ?? "?";
          faults.push({ item: `${type}/${id}`, fault });
        }
      listing[type] = {
        items,
        hasMore: hasMore || all.length > maxItems,
        totalCount: Math.max(totalCount ?? 0, items.length),
      };
    }
    return { listing, faults };
  }

  async find(type: HubItemType, id: string): Promise<FoundItem> {
    const reply = await this.get(`/${type}/${encodeURIComponent(id)}/pull`);
    const { item, url, error } = readJson(reply, pulled);
    if (error) throw this.said(error);
    if (item === null || item === undefined) throw this.missing();
    return {
      item: readItem(this.name, item, { type, id }),
      readFiles: (skill) => this.download(skill, url ?? null),
    };
  }

  /** The address is signed, so the key isn't sent along: it may be of another server. */
  private async download({ sha256 }: SkillItem, url: string | null): Promise<BundleFile[]> {
    const target = url === null ? null : URL.parse(url);
    if (target === null) throw new CarrelError("hub.bundle-missing", { hub: this.name });
    const isOwn = target.origin === new URL(this.options.address).origin;
    if (target.protocol !== "https:" && !isOwn)
      throw new CarrelError("hub.bundle-missing", { hub: this.name });
    const { status, body } = await this.ask(target.href, {
      maxBytes: bundleLimits.zipBytes,
      timeoutMs: downloadMs,
      mayFollow: (next) =>
        Promise.resolve(next.protocol === "https:" || next.origin === target.origin),
    }).catch((fault: unknown) => {
      throw isTooLarge(fault) ? tooLarge() : fault;
    });
    if (status !== 200) throw new CarrelError("hub.bundle-missing", { hub: this.name });
    return readBundle(body, sha256 ?? null);
  }

  /** Servers choose IDs. */
  findPlace(item: NewItem): Promise<Place> {
    const id = toItemId(item.name);
    return Promise.resolve({ id, path: itemPath(item, id), isTaken: false });
  }

  async publish(item: NewItem): Promise<string> {
    if (this.options.key === null) throw new CarrelError("hub.key-missing");
    const { itemType, ...fields } = item;
    const sent =
      item.itemType === "agent-flow" ? { ...fields, flow: JSON.stringify(item.flow) } : fields;
    const reply = this.accepted(
      await this.ask(`${this.options.address}/${itemType}/create`, {
        method: "POST",
        body: JSON.stringify(sent),
        headers: { ...this.headers, "content-type": "application/json" },
      }),
    );
    return readJson(reply, created).item.id;
  }

  private get headers(): Record<string, string> {
    const { key } = this.options;
    return {
      accept: "application/json",
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
  }

  private async get(path: string): Promise<ContentResponse> {
    return this.accepted(await this.ask(this.options.address + path, { headers: this.headers }));
  }

  private async ask(url: string, request: ContentRequest): Promise<ContentResponse> {
    const { content, signal } = this.options;
    try {
      return await content.fetch(url, {
        maxBytes: replyBytes,
        timeoutMs: replyMs,
        signal,
        ...request,
      });
    } catch (fault) {
      throw isTooLarge(fault) ? fault : toSourceFault(fault);
    }
  }

  private accepted(reply: ContentResponse): ContentResponse {
    const { status, body } = reply;
    if (status >= 200 && status <= 299) return reply;
    if (status === 404 || status === 410) throw this.missing();
    if (status !== 429 && status < 500) {
      const told = readRefusal(body);
      if (told !== null) throw this.said(told);
    }
    throwStatus(reply);
  }

  private said(reason: string): CarrelError {
    return new CarrelError("hub.said", { hub: this.name, reason: clipText(reason, 300) });
  }

  private missing(): CarrelError {
    return new CarrelError("hub.item-missing", { hub: this.name });
  }
}

function readRefusal(body: Buffer): string | null {
  try {
    return refusal.parse(JSON.parse(body.toString("utf8"))).error;
  } catch {
    return null;
  }
}
