import {
  CarrelError,
  hubItemId,
  hubItemTypes,
  parseJson,
  type HubItemType,
} from "@carrel/contracts";
import { BundleFiles, bundleLimits, refusedFile, type BundleFile } from "./bundle-files.ts";
import type { FileTree } from "./file-tree.ts";
import { readItem, type HubItem } from "./hub-item.ts";
import { emptyListing, type FoundItem, type Hub, type ItemFault, type Place } from "./hub.ts";
import { itemFile, itemPath, toItemFile, toItemId, type NewItem } from "./new-item.ts";

/** Of one type. */
const maxItems = 500;
const maxItemBytes = 300_000;

/**
 * A hub that is a folder or a repository: `<type>/<id>/item.json`, and next to it the files of a skill
 * (docs/agents/hub.md).
 */
export class TreeHub implements Hub {
  constructor(
    readonly kind: "folder" | "repository",
    readonly name: string,
    readonly identity: string,
    private readonly tree: FileTree,
  ) {}

  async list() {
    const listing = emptyListing();
    const faults: ItemFault[] = [];
    for (const type of hubItemTypes) {
      const folders = (await this.tree.read(type)).filter(({ kind }) => kind === "folder");
      const usable = folders.filter(({ name }) => !name.startsWith("."));
      const items: HubItem[] = [];
      for (const { name } of usable.slice(0, maxItems))
        try {
          items.push(await this.readItem(type, name));
        } catch (fault) {
          faults.push({ item: `${type}/${name}`, fault });
        }
      const hasMore = usable.length > maxItems;
      listing[type] = { items, hasMore, totalCount: hasMore ? usable.length : items.length };
    }
    return { listing, faults };
  }

  /** Folders and repositories have no accounts. */
  listOwn() {
    return Promise.resolve({ mine: {}, teams: [] });
  }

  async find(type: HubItemType, id: string): Promise<FoundItem> {
    return {
      item: await this.readItem(type, id),
      readFiles: () => this.readFiles(`${type}/${id}`),
    };
  }

  private async readItem(type: HubItemType, id: string): Promise<HubItem> {
    const hub = this.name;
    if (!hubItemId.safeParse(id).success)
      throw new CarrelError("hub.item-invalid", { hub, field: "id" });
    const content = await this.tree.open(`${type}/${id}/${itemFile}`, maxItemBytes);
    if (content === null) throw new CarrelError("hub.item-missing", { hub });
    let given: unknown;
    try {
      given = parseJson(content.toString("utf8"));
    } catch (cause) {
      throw new CarrelError("hub.item-invalid", { hub, field: itemFile }, { cause });
    }
    return readItem(hub, given, { type, id });
  }

  private async readFiles(folder: string): Promise<BundleFile[]> {
    const files = new BundleFiles();
    const open = [""];
    let seen = 0;
    for (let within = open.pop(); within !== undefined; within = open.pop())
      for (const { name, kind } of await this.tree.read(`${folder}${within && `/${within}`}`)) {
        const path = within === "" ? name : `${within}/${name}`;
        if (path === itemFile) continue;
        if (kind !== "file" && kind !== "folder") throw refusedFile(path);
        seen += 1;
        if (seen > 2 * bundleLimits.files)
          throw new CarrelError("hub.bundle-too-many-files", { limit: bundleLimits.files });
        if (kind === "folder") open.push(path);
        else {
          const content = await this.tree.open(`${folder}/${path}`, bundleLimits.bytes);
          if (content === null) throw refusedFile(path);
          files.reserve(path, content.length);
          files.add(path, content);
        }
      }
    return files.finish();
  }

  /**
   * In a folder, what was published before is updated, and everything else gets a name that is free.
   * In a repository, people see what a commit replaces.
   */
  async findPlace(item: NewItem, known: string | null): Promise<Place> {
    const wanted = toItemId(item.name);
    const taken = new Set(
      (await this.tree.read(item.itemType)).map(({ name }) => name.toLowerCase()),
    );
    let id = known ?? wanted;
    if (known === null && this.kind === "folder")
      for (let count = 2; taken.has(id); count += 1) id = `${wanted}-${count}`;
    return { id, path: itemPath(item, id), isTaken: taken.has(id.toLowerCase()) };
  }

  async publish(item: NewItem, { id, path, isTaken }: Place): Promise<string | null> {
    if (this.tree.write === undefined) throw new CarrelError("hub.publish-by-commit");
    return (await this.tree.write(path, toItemFile(item), isTaken)) ? id : null;
  }
}
