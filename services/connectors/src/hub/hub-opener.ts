import path from "node:path";
import {
  CarrelError,
  defaultHubAddress,
  readRepositoryAddress,
  type HubSource,
} from "@carrel/contracts";
import { createContentClient, parseAllowList, type ContentClient } from "@carrel/egress";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { toSourceFault } from "../connector/source-fault.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { FolderTree } from "./folder-tree.ts";
import type { HubSetting } from "./hub-setting.repository.ts";
import type { Hub } from "./hub.ts";
import { RepositoryTrees } from "./repository-tree.ts";
import { ServerHub } from "./server-hub.ts";
import { TreeHub } from "./tree-hub.ts";

const loadMs = 90_000;

/** Which origin a source's key is for; null if it needs none. */
export function originOf(source: HubSource): string | null {
  switch (source.kind) {
    case "off":
      return new URL(defaultHubAddress).origin;
    case "server":
      return new URL(source.address).origin;
    case "repository":
      return new URL(source.repo).origin;
    case "folder":
      return null;
  }
}

@Injectable()
export class HubOpener {
  readonly folders: readonly string[];
  private readonly content: ContentClient;
  private readonly isAllowed: (host: string) => boolean;
  private readonly scratch: string;
  private readonly umask: number | undefined;

  constructor(
    @Inject(CONFIG) config: ConnectorsConfig,
    private readonly trees: RepositoryTrees,
  ) {
    const allow = config.CARREL_LINK_ALLOW;
    this.content = createContentClient({ allow });
    const list = parseAllowList(allow);
    this.isAllowed = (host) => list.hasHost(host) || list.hasAddress(host);
    this.folders = config.CARREL_SOURCE_FOLDERS;
    this.umask = config.CARREL_UMASK;
    this.scratch = path.join(config.CARREL_HOME, "scratch");
  }

  /** As it is stored. Throws what is wrong with it, as far as its form tells. */
  async normalize(source: HubSource): Promise<HubSource> {
    if (source.kind === "server") return { kind: "server", address: this.readAddress(source) };
    if (source.kind === "folder") {
      await FolderTree.find(source.path, this.folders);
      return { kind: "folder", path: path.resolve(source.path) };
    }
    if (source.kind !== "repository") return source;
    const address = readRepositoryAddress(source.platform, source.repo);
    if (address === null || !this.isSafe(new URL(address.href)))
      throw new CarrelError("hub.repository-invalid");
    return { ...source, repo: address.href };
  }

  private readAddress({ address }: { address: string }): string {
    const url = URL.parse(address);
    const isPlain =
      url !== null &&
      url.username === "" &&
      url.password === "" &&
      url.search === "" &&
      url.hash === "";
    if (!isPlain || !this.isSafe(url)) throw new CarrelError("hub.address-invalid");
    return url.href.replace(/\/+$/, "");
  }

  /** Keys are never sent in clear text, except within an intranet that the operator allowed. */
  private isSafe({ protocol, hostname }: URL): boolean {
    return protocol === "https:" || (protocol === "http:" && this.isAllowed(hostname));
  }

  /** Throws `hub.off`, or why it can't be opened. */
  async open({ source, key, isKeyUnreadable }: HubSetting, signal: AbortSignal): Promise<Hub> {
    if (source.kind === "off") throw new CarrelError("hub.off");
    if (isKeyUnreadable && source.kind !== "folder") throw new CarrelError("hub.key-unreadable");
    const own = key !== null && key.origin === originOf(source) ? key.key : null;
    const { content, folders, scratch, umask } = this;
    try {
      if (source.kind === "server")
        return new ServerHub({ address: source.address, key: own, content, signal });
      if (source.kind === "folder") {
        const tree = await FolderTree.find(source.path, folders, umask);
        return new TreeHub("folder", path.basename(source.path), source.path, tree);
      }
      // Others use it as well, so it isn't stopped with one request.
      const loading = AbortSignal.timeout(loadMs);
      const tree = await this.trees.open(source, own, { content, signal: loading, scratch });
      const name = new URL(source.repo).pathname.slice(1);
      return new TreeHub("repository", name, `${source.repo}#${source.branch}`, tree);
    } catch (error) {
      throw toSourceFault(error);
    }
  }
}
