import type { HubItemType } from "@carrel/contracts";
import type { BundleFile } from "./bundle-files.ts";
import type { HubItem, SkillItem } from "./hub-item.ts";
import type { NewItem } from "./new-item.ts";

export interface ListedItems {
  items: HubItem[];
  /** There are more. */
  hasMore: boolean;
  totalCount: number;
}
export type Listing = Record<HubItemType, ListedItems>;

/** What can't be used, by the address of the item in its hub. */
export interface ItemFault {
  item: string;
  fault: unknown;
}

/** A hub that is open for some seconds, with its settings and key. */
export interface Hub {
  kind: "server" | "folder" | "repository";
  /** For messages. */
  name: string;
  /** Tells it from other hubs. */
  identity: string;
  list(): Promise<{ listing: Listing; faults: ItemFault[] }>;
  /** Of the key's account and its teams. */
  listOwn(): Promise<{
    mine: Partial<Listing>;
    teams: { id: string; name: string; items: Partial<Listing> }[];
  }>;
  /** Throws `hub.item-missing`. */
  find(type: HubItemType, id: string): Promise<FoundItem>;
  /** Where an item would go that was published before under the ID `known`. */
  findPlace(item: NewItem, known: string | null): Promise<Place>;
  /** Returns its ID; null if something else has taken the place. */
  publish(item: NewItem, place: Place): Promise<string | null>;
}

export interface Place {
  id: string;
  /** Of its file, in folders and repositories. */
  path: string;
  /** There is such a file. */
  isTaken: boolean;
}

export interface FoundItem {
  item: HubItem;
  /** Of a skill. Nothing is downloaded before. */
  readFiles(skill: SkillItem): Promise<BundleFile[]>;
}

export const emptyListing = (): Listing => {
  const none = (): ListedItems => ({ items: [], hasMore: false, totalCount: 0 });
  return {
    "system-prompt": none(),
    "slash-command": none(),
    "agent-flow": none(),
    "agent-skill": none(),
  };
};
