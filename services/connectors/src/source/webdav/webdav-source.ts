import { CarrelError, type KnownFault } from "@carrel/contracts";
import { z } from "zod";
import type { Fetched, ListedItem, ListedPage, Source } from "../../connector/connector.ts";
import { FileRules, isUsablePath } from "../../connector/file-rules.ts";
import { isTooLarge, toSourceFault } from "../../connector/source-fault.ts";
import { toFilename } from "../../repository/file-content.ts";
import type { FoundFolder } from "./find-folder.ts";
import type { DavEntry, DavFolder, WebdavClient } from "./webdav-client.ts";
import type { WebdavSettings } from "./webdav-form.ts";

export const webdavItem = z.object({
  /** Below the source's folder. */
  path: z.string(),
  version: z.string().optional(),
  modified: z.string(),
  mime: z.string().optional(),
  fileId: z.string().optional(),
});
export type WebdavItem = z.output<typeof webdavItem>;
type Item = ListedItem<WebdavItem>;

const maxDocuments = 50_000;
const maxItems = 200_000;
/** Folders that are listed at once, and whose list is stored at once. */
const foldersAtOnce = 5;
/** The rest of more folders is left out, and so are deeper ones: links can lead in circles. */
const maxFolders = 50_000;
const maxDepth = 50;
/** Of the folders that are still due. */
const maxDueBytes = 2_000_000;

const listCursor = z.object({
  /** Folders below the source's own that are still to be listed, the next one last. */
  due: z.array(z.string()),
  /** How many were listed. */
  listed: z.number().int(),
});
type ListCursor = z.output<typeof listCursor>;

/** The files of a folder and those below it. */
export class WebdavSource implements Source<WebdavItem> {
  readonly limits = { parallel: 4, maxDocuments, maxItems };
  private readonly rules: FileRules;

  constructor(
    private readonly client: WebdavClient,
    private readonly folder: FoundFolder,
    settings: WebdavSettings,
  ) {
    this.rules = new FileRules(settings);
  }

  async check(): Promise<void> {
    await this.listRoot();
  }

  /** Names of the folders in it. */
  async listFolders(): Promise<string[]> {
    const { children } = await this.listRoot();
    return children.filter(({ isFolder }) => isFolder).map(({ parts }) => parts.at(-1)!);
  }

  private async listRoot(): Promise<DavFolder> {
    const { root } = this.folder;
    const found = await this.client.list(root, 1);
    const { host } = this.client;
    // A file has nothing in it, and its parts would be the folder's.
    if (found.self?.isFolder === false) throw new CarrelError("source.nothing-found");
    if (found.self === null)
      throw new CarrelError("source.not-recognised", { host, name: "WebDAV" });
    return found;
  }

  async list(cursor: string | null): Promise<ListedPage<WebdavItem>> {
    const at: ListCursor =
      cursor === null ? { due: [""], listed: 0 } : listCursor.parse(JSON.parse(cursor));
    const left = at.due.slice(0, -foldersAtOnce);
    const pages = await Promise.all(
      at.due
        .slice(-foldersAtOnce)
        .map((path) =>
          path === ""
            ? this.listRoot().then((found) => this.readFolder(found))
            : this.listBelow(path),
        ),
    );
    const listed = at.listed + pages.length;
    const found = [...left, ...pages.flatMap(({ folders }) => folders)];
    const due = fitting(found).slice(0, Math.max(0, maxFolders - listed));
    const isPartial = pages.some((page) => page.isPartial) || due.length < found.length;
    return {
      items: pages.flatMap(({ items }) => items),
      next: due.length === 0 ? null : JSON.stringify({ due, listed } satisfies ListCursor),
      ...(isPartial && { isPartial }),
    };
  }

  /**
   * A folder was listed, so an answer that it isn't there may be a fault of its server. One that can't
   * be read is named.
   */
  private async listBelow(path: string) {
    try {
      const found = await this.client.list(this.partsOf(path), 1);
      if (found.self?.isFolder) return this.readFolder(found);
      return { items: [], folders: [], isPartial: true };
    } catch (error) {
      const fault = toSourceFault(error);
      if (!(fault instanceof CarrelError)) throw error;
      const { code, params } = fault;
      if (code === "source.missing") return { items: [], folders: [], isPartial: true };
      // Whoever isn't signed in any more reads none of it.
      const isDenied = code === "source.denied" && params.status !== 401;
      if (!isDenied && !isTooLarge(error)) throw error;
      const skip = { code, params } as KnownFault;
      return { items: [this.toNamed(`folder:${path}`, path, skip)], folders: [], isPartial: true };
    }
  }

  private readFolder({ children, isPartial, unusable }: DavFolder) {
    const items = unusable.map((href) =>
      this.toNamed(`href:${href}`, href, { code: "source.name-unusable" }),
    );
    const folders: string[] = [];
    let isCut = isPartial;
    for (const entry of children) {
      const path = entry.parts.slice(this.folder.root.length).join("/");
      if (this.rules.leavesOut(entry.isFolder ? `${path}/` : path)) continue;
      if (!entry.isFolder) items.push(this.toListed(entry, path));
      else if (path.split("/").length < maxDepth && isUsablePath(path)) folders.push(path);
      else isCut = true;
    }
    return { items, folders, isPartial: isCut };
  }

  /** What is listed for its reason alone. */
  private toNamed(externalId: string, title: string, skip: KnownFault): Item {
    const address = this.addressOf("", undefined);
    return { externalId, item: { path: "", modified: "" }, title, address, skip };
  }

  private toListed({ bytes, mime, version, modified, fileId }: DavEntry, path: string): Item {
    const skip = this.rules.refuse({ path, mime, bytes });
    return {
      externalId: fileId === undefined ? `path:${path}` : `id:${fileId}`,
      item: { path, version, modified, mime, fileId },
      title: path,
      address: this.addressOf(path, fileId),
      ...(version !== undefined && { version }),
      ...(bytes !== undefined && { bytes }),
      ...(skip !== null && { skip }),
    };
  }

  async fetch(item: WebdavItem): Promise<Fetched<WebdavItem>> {
    const { path, version, modified, mime, fileId } = item;
    const address = this.addressOf(path, fileId);
    try {
      const reply = await this.client.open(this.partsOf(path), this.rules.maxBytes);
      return {
        kind: "document",
        body: reply.body,
        filename: toFilename(path),
        mime: mime ?? null,
        source: { kind: "connector", connector: "webdav", reference: address },
        metadata: {
          title: path.slice(path.lastIndexOf("/") + 1),
          url: address,
          docAuthor: "no author found",
          description: path,
          docSource: this.client.host,
          ...(modified !== "" && { published: modified }),
        },
        ...(version !== undefined && { version }),
      };
    } catch (error) {
      if (isTooLarge(error)) return { kind: "skipped", fault: this.rules.tooLarge };
      throw error;
    }
  }

  async current({ path }: WebdavItem): Promise<Item | null> {
    const found = await this.client.list(this.partsOf(path), 0).catch((error: unknown) => {
      if (error instanceof CarrelError && error.code === "source.missing") return null;
      throw error;
    });
    if (found === null || found.self?.isFolder) return null;
    const { host } = this.client;
    if (found.self === null) throw new CarrelError("egress.unexpected-response", { host });
    return this.toListed(found.self, path);
  }

  private partsOf(path: string): string[] {
    return [...this.folder.root, ...path.split("/").filter((part) => part !== "")];
  }

  /** Where people open it. */
  private addressOf(path: string, fileId: string | undefined): string {
    const { origin } = this.client;
    const { web } = this.folder;
    return web !== null && fileId !== undefined
      ? `${origin}${web}/index.php/f/${encodeURIComponent(fileId)}`
      : `${origin}/${this.partsOf(path).map(encodeURIComponent).join("/")}`;
  }
}

/** As many of the paths as may be stored. */
function fitting(paths: string[]): string[] {
  let bytes = 0;
  const end = paths.findIndex(
    (path) => (bytes += Buffer.byteLength(JSON.stringify(path))) > maxDueBytes,
  );
  return end < 0 ? paths : paths.slice(0, end);
}
