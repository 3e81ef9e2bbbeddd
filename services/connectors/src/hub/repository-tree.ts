import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { CarrelError, type HubSource } from "@carrel/contracts";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { SourceContext } from "../connector/connector.ts";
import { isTooLarge } from "../connector/source-fault.ts";
import { ArchiveError, ArchiveFile, ScratchSpace } from "../repository/archive-file.ts";
import type { RepositoryHost } from "../repository/repository-host.ts";
import { GiteaHost } from "../source/gitea/gitea-host.ts";
import { GithubHost } from "../source/github/github-host.ts";
import { GitlabHost } from "../source/gitlab/gitlab-host.ts";
import { bundleLimits, tooLarge } from "./bundle-files.ts";
import type { FileTree, TreeName } from "./file-tree.ts";

export type RepositorySource = Extract<HubSource, { kind: "repository" }>;

const archiveBytes = 50_000_000;
const archiveMs = 60_000;
/** What an archive may unpack to, on disk and then in memory. */
const unpackedBytes = 100_000_000;
const keptBytes = 30_000_000;
const keptMs = 600_000;
const maxFiles = 10_000;

const hosts = { github: GithubHost, gitlab: GitlabHost, gitea: GiteaHost };

/** Keeps the files of the commit that was read last, for some minutes. */
@Injectable()
export class RepositoryTrees implements OnModuleDestroy {
  private kept: { name: string; tree: Promise<CommitTree>; timer: NodeJS.Timeout } | null = null;

  onModuleDestroy(): void {
    this.forget();
  }

  async open(
    { platform, repo, branch }: RepositorySource,
    token: string | null,
    context: SourceContext,
  ): Promise<FileTree> {
    const host: RepositoryHost = new hosts[platform](repo, token ?? undefined, context);
    const head = await host.head(branch === "" ? undefined : branch);
    if (head === null) return new CommitTree(new Map());
    // Another token may not read the same.
    const parts = [platform, repo, head.commit, token];
    const name = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    if (this.kept?.name === name) return this.kept.tree;
    this.forget();
    const tree = this.load(repo, () => host.archive(head.commit, archiveBytes, archiveMs), context);
    const timer = setTimeout(() => this.forget(), keptMs).unref();
    this.kept = { name, tree, timer };
    tree.catch(() => {
      if (this.kept?.name === name) this.forget();
    });
    return tree;
  }

  private forget(): void {
    if (this.kept !== null) clearTimeout(this.kept.timer);
    this.kept = null;
  }

  private async load(
    repo: string,
    download: () => Promise<Readable>,
    { scratch }: SourceContext,
  ): Promise<CommitTree> {
    const hub = new URL(repo).host;
    try {
      const space = new ScratchSpace(unpackedBytes);
      const archive = await ArchiveFile.unpack(
        await download(),
        scratch ?? "",
        bundleLimits.bytes,
        space,
      );
      try {
        return new CommitTree(await readAll(archive, hub));
      } finally {
        await archive.close();
      }
    } catch (cause) {
      if (cause instanceof ArchiveError || isTooLarge(cause)) throw tooLargeArchive(hub, cause);
      throw cause;
    }
  }
}

const tooLargeArchive = (hub: string, cause?: unknown): CarrelError =>
  new CarrelError("hub.repository-too-large", { hub, megabytes: keptBytes / 1_000_000 }, { cause });

async function readAll(archive: ArchiveFile, hub: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const name of archive.names) {
    const body = await archive.open(name);
    const pieces: Buffer[] = [];
    for await (const piece of body as AsyncIterable<Buffer>) pieces.push(Buffer.from(piece));
    const content = Buffer.concat(pieces);
    bytes += content.length;
    if (bytes > keptBytes) throw tooLargeArchive(hub);
    if (files.size >= maxFiles)
      throw new CarrelError("hub.too-many-items", { hub, limit: maxFiles });
    files.set(name, content);
  }
  return files;
}

/** The files of one commit. Links aren't among them. */
class CommitTree implements FileTree {
  private readonly folders = new Map<string, Map<string, TreeName>>();

  constructor(private readonly files: ReadonlyMap<string, Buffer>) {
    for (const file of files.keys()) {
      const segments = file.split("/");
      for (const [index, name] of segments.entries()) {
        const folder = segments.slice(0, index).join("/");
        const names = this.folders.get(folder) ?? new Map<string, TreeName>();
        names.set(name, { name, kind: index === segments.length - 1 ? "file" : "folder" });
        this.folders.set(folder, names);
      }
    }
  }

  read(folder: string): Promise<TreeName[]> {
    const names = [...(this.folders.get(folder)?.values() ?? [])];
    return Promise.resolve(names.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  }

  open(path: string, maxBytes: number): Promise<Buffer | null> {
    const content = this.files.get(path) ?? null;
    return content !== null && content.length > maxBytes
      ? Promise.reject(tooLarge())
      : Promise.resolve(content);
  }
}
