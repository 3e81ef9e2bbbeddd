import {
  exploreHub,
  getHubItem,
  hubItemTypes,
  hubListNames,
  hubPageSize,
  listOwnHubItems,
  searchHub,
  type HubCard,
  type HubList,
  type HubLists,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { toSourceFault } from "../connector/source-fault.ts";
import { toCard } from "./hub-item.ts";
import { HubReader } from "./hub-reader.ts";
import type { ListedItems, Listing } from "./hub.ts";

/** Bytes of one list; replies between services are limited. */
const listBytes = 180_000;

/** What the hub has. */
@Controller()
export class HubListHandler {
  constructor(private readonly hubs: HubReader) {}

  @Handle(exploreHub)
  async explore(): Promise<Out<typeof exploreHub>> {
    return toLists(await this.hubs.list({ refresh: true })) as HubLists;
  }

  @Handle(searchHub)
  async search({
    type,
    search,
    offset,
    refresh,
  }: In<typeof searchHub>): Promise<Out<typeof searchHub>> {
    const { items, hasMore } = (await this.hubs.list({ refresh }))[type];
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const found = items.filter(({ name, description, tags, creatorUsername, ...item }) => {
      const own = [name, description, ...tags, creatorUsername ?? ""].join("\n");
      const text = `${own}\n${"command" in item ? item.command : ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return {
      items: found.slice(offset, offset + hubPageSize).map((item) => toCard(item)),
      total: found.length,
      hasUnlisted: hasMore,
    };
  }

  @Handle(listOwnHubItems)
  async listOwn(
    _input: In<typeof listOwnHubItems>,
    { signal }: RequestContext,
  ): Promise<Out<typeof listOwnHubItems>> {
    const hub = await this.hubs.open(signal);
    const { mine, teams } = await hub.listOwn().catch((error: unknown) => {
      throw toSourceFault(error);
    });
    let left = 2;
    const shown = teams.flatMap(({ id, name, items }) =>
      left-- > 0 ? [{ teamId: id, teamName: name, items: toLists(items, listBytes / 6) }] : [],
    );
    return { success: true, createdByMe: toLists(mine, listBytes / 3), teamItems: shown };
  }

  @Handle(getHubItem)
  async get(
    { importId }: In<typeof getHubItem>,
    { signal }: RequestContext,
  ): Promise<Out<typeof getHubItem>> {
    const { found } = await this.hubs.find(importId, signal);
    return { success: true, item: toCard(found.item, true), error: null };
  }
}

function toLists(listing: Partial<Listing>, bytes = listBytes): Partial<HubLists> {
  const lists: Partial<HubLists> = {};
  for (const type of hubItemTypes) {
    const given = listing[type];
    if (given !== undefined) lists[hubListNames[type]] = toList(given, bytes);
  }
  return lists;
}

/** As many as fit. */
function toList({ items, hasMore, totalCount }: ListedItems, bytes: number): HubList {
  const cards: HubCard[] = [];
  let left = bytes;
  for (const item of items) {
    const card = toCard(item);
    left -= Buffer.byteLength(JSON.stringify(card));
    if (left < 0) return { items: cards, hasMore: true, totalCount };
    cards.push(card);
  }
  return { items: cards, hasMore, totalCount };
}
