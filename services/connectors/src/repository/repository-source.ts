import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { CarrelError, type KnownFault } from "@carrel/contracts";
import createIgnore, { type Ignore } from "ignore";
import { z } from "zod";
import {
  MarkLostError,
  type AccessList,
  type Fetched,
  type FetchedDocument,
  type ListedItem,
  type ListedPage,
  type Source,
  type SourceContext,
} from "../connector/connector.ts";
import { isUsablePath } from "../connector/file-rules.ts";
import { Memo } from "../connector/memo.ts";
import { isTooLarge } from "../connector/source-fault.ts";
import { filesOf, type ArchiveRequest, type CommitFiles } from "./archives.ts";
import { inspectContent, isBinaryName, toFilename } from "./file-content.ts";
import { writeIssue } from "./issue-text.ts";
import type { RepositoryCredential, RepositorySettings } from "./repository-form.ts";
import {
  listedIssue,
  type ListedIssue,
  type ListedWikiPage,
  type Part,
  type RepositoryHost,
  type TreeEntry,
} from "./repository-host.ts";
import { compareTrees } from "./tree-changes.ts";

export const repositoryItem = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("file"),
    path: z.string(),
    sha: z.string(),
    commit: z.string(),
    branch: z.string(),
  }),
  z.object({ kind: z.literal("issue"), issue: listedIssue }),
  z.object({ kind: z.literal("wiki"), slug: z.string(), title: z.string(), address: z.string() }),
]);
type Item = z.output<typeof repositoryItem>;
type FileItem = Extract<Item, { kind: "file" }>;

const cursorParts = z.object({
  part: z.enum(["files", "issues", "wiki"]),
  branch: z.string(),
  commit: z.string(),
  /** The host's cursor within the part. */
  next: z.string().nullable(),
  pages: z.number().int(),
});
type Cursor = z.output<typeof cursorParts>;

const maxDocuments = 50_000;
const maxItems = 100_000;
/** A server that never stops naming a next page is left there. */
const maxPages = 5_000;
/** Files that are fetched one by one before the archive is; each is a request of the limit. */
const singleFiles = { withToken: 20, without: 5 };

interface RepositoryParts {
  /** The connector's id. */
  id: string;
  host: RepositoryHost;
  settings: RepositorySettings;
  credential: RepositoryCredential;
  context: SourceContext;
}

/** Files, issues and wiki pages of a repository, whichever server it is on. */
export class RepositorySource implements Source<Item> {
  readonly limits = { parallel: 8, maxDocuments, maxItems };
  readonly changes?: (mark: string) => Promise<ListedPage<Item>>;
  private readonly ignored: Ignore;
  private readonly maxFileBytes: number;
  private readonly lists = new Memo<AccessList>();
  /** Single documents are brought up to date, for which no archive is worth its download. */
  private isSingly = false;

  constructor(private readonly parts: RepositoryParts) {
    this.ignored = createIgnore().add(parts.settings.ignore);
    this.maxFileBytes = parts.settings.maxMegabytes * 1_000_000;
    const { issues, wiki } = parts.settings;
    if (parts.host.tellsChanges && !issues && !wiki) this.changes = this.listChanges.bind(this);
  }

  async check(): Promise<void> {
    const { host, settings } = this.parts;
    const head = await host.head(settings.branch);
    if (head === null && !settings.issues && !settings.wiki)
      throw new CarrelError("source.nothing-found");
  }

  async list(cursor: string | null): Promise<ListedPage<Item>> {
    const at = cursor === null ? await this.begin() : cursorParts.parse(JSON.parse(cursor));
    if (at === null) return { items: [], next: null };
    const { items, next, leftOut } = await this.listPart(at);
    const isSame = next !== null && at.pages < maxPages;
    const following = isSame ? { ...at, next, pages: at.pages + 1 } : this.partAfter(at);
    return {
      items,
      next: following === null ? null : JSON.stringify(following),
      ...(following === null && { mark: at.commit }),
      ...(leftOut && { leftOut }),
    };
  }

  /** Only of files: whether an issue or a wiki page was deleted shows in a whole listing alone. */
  private async listChanges(mark: string): Promise<ListedPage<Item>> {
    const { host, settings } = this.parts;
    const head = await host.head(settings.branch);
    if (head === null) throw new MarkLostError();
    const { branch, commit } = head;
    const { changed, removed } =
      commit === mark ? { changed: [], removed: [] } : await compareTrees(host, mark, commit);
    const list = (entry: TreeEntry) => this.listFile(entry, commit, branch) ?? [];
    return {
      items: [
        ...changed.flatMap(list),
        ...removed.flatMap(list).map((item) => ({ ...item, isGone: true as const })),
      ],
      next: null,
      mark: commit,
    };
  }

  private async begin(): Promise<Cursor | null> {
    const { host, settings } = this.parts;
    const head = await host.head(settings.branch);
    const start = { next: null, pages: 0 };
    return head === null
      ? this.partAfter({ part: "files", branch: "", commit: "", ...start })
      : { part: "files", ...head, ...start };
  }

  private partAfter({ part, branch, commit }: Cursor): Cursor | null {
    const { host, settings } = this.parts;
    const begin = (next: Cursor["part"]) => ({ part: next, branch, commit, next: null, pages: 0 });
    if (part === "files" && settings.issues) return begin("issues");
    return part !== "wiki" && settings.wiki && host.wiki ? begin("wiki") : null;
  }

  private async listPart({ part, branch, commit, next }: Cursor): Promise<ListedPage<Item>> {
    const { host } = this.parts;
    if (part === "files") {
      const tree = await host.tree(commit, next);
      const items = tree.items.flatMap((entry) => this.listFile(entry, commit, branch) ?? []);
      return { items, next: tree.next };
    }
    if (part === "issues") {
      const page = await host.issues(next);
      return { items: page.items.map(listIssue), next: page.next };
    }
    const page = await host.wiki!(next);
    return {
      items: page.items.map(listWikiPage),
      next: page.next,
      ...(page.isPartial && { leftOut: { kind: "wiki" } }),
    };
  }

  /** null for what the settings leave out. */
  listFile(entry: TreeEntry, commit: string, branch: string): ListedItem<Item> | null {
    const { path, sha, kind, bytes } = entry;
    const isUsable = isUsablePath(path);
    if (isUsable && this.ignored.ignores(path)) return null;
    const skip = isUsable ? this.findSkip(entry) : ({ code: "source.name-unusable" } as const);
    return {
      externalId: `file:${path}`,
      item: { kind: "file", path: skip ? "" : path, sha, commit, branch },
      title: path,
      address: this.parts.host.fileAddress(path, branch),
      ...(kind === "file" && { version: sha }),
      ...(bytes !== undefined && { bytes }),
      ...(skip && { skip }),
    };
  }

  private findSkip({ path, kind, bytes }: TreeEntry): KnownFault | null {
    if (kind === "submodule") return { code: "source.submodule" };
    if (kind === "symlink") return { code: "source.symbolic-link" };
    if (bytes === 0) return { code: "source.item-empty" };
    if (isBinaryName(path)) return { code: "source.binary" };
    return bytes !== undefined && bytes > this.maxFileBytes ? this.tooLarge : null;
  }

  private get tooLarge(): KnownFault {
    const { maxMegabytes } = this.parts.settings;
    return { code: "source.file-too-large", params: { megabytes: maxMegabytes } };
  }

  /** Downloads the archive, if that is due. */
  async prepare(item: Item): Promise<void> {
    if (item.kind === "file" && !this.isSingly)
      await this.filesAt(item.commit).prepare(item.path, this.archiveAt(item.commit));
  }

  async fetch(item: Item): Promise<Fetched<Item>> {
    if (item.kind === "file") return this.fetchFile(item);
    return item.kind === "issue" ? this.fetchIssue(item.issue) : this.fetchWikiPage(item);
  }

  /** Wiki pages are always fetched as they are now, and only their reply tells a version. */
  async current(item: Item): Promise<ListedItem<Item> | null> {
    const { host } = this.parts;
    if (item.kind === "wiki") return listWikiPage(item);
    if (item.kind === "issue") {
      const issue = await host.issue(item.issue.number);
      return issue && listIssue(issue);
    }
    this.isSingly = true;
    const head = await host.head(this.parts.settings.branch);
    const entry = head && (await host.entry(item.path, head.commit));
    return entry && this.listFile(entry, head.commit, head.branch);
  }

  private async fetchFile(item: FileItem): Promise<Fetched<Item>> {
    // First: nobody would close the file if this throws.
    const access = await this.accessOf("files");
    const opened = await this.openFile(item);
    if (opened === null) return { kind: "skipped", fault: this.tooLarge };
    const { body, skip } = await inspectContent(item.path, opened);
    if (skip !== null) {
      body.destroy();
      return { kind: "skipped", fault: skip };
    }
    return {
      ...this.toDocument(item.path, this.parts.host.fileAddress(item.path, item.branch)),
      body,
      filename: toFilename(item.path),
      version: item.sha,
      access,
    };
  }

  /** null if it is too large. */
  private async openFile(file: FileItem): Promise<Readable | null> {
    const { path, commit } = file;
    const archived = this.isSingly
      ? null
      : await this.filesAt(commit).open(path, this.archiveAt(commit));
    if (archived !== null) return archived;
    try {
      return await this.parts.host.blob(file, this.maxFileBytes);
    } catch (error) {
      if (isTooLarge(error)) return null;
      throw error;
    }
  }

  private filesAt(commit: string): CommitFiles {
    const { id, settings, credential } = this.parts;
    return filesOf([id, settings.repo, credential.token, commit, this.maxFileBytes]);
  }

  private archiveAt(commit: string): ArchiveRequest {
    const { host, credential, context } = this.parts;
    return {
      maxSingle: credential.token ? singleFiles.withToken : singleFiles.without,
      download: (maxBytes, timeoutMs) => host.archive(commit, maxBytes, timeoutMs),
      folder: context.scratch ?? tmpdir(),
      maxFileBytes: this.maxFileBytes,
    };
  }

  private async fetchIssue(issue: ListedIssue): Promise<Fetched<Item>> {
    const { host } = this.parts;
    const body = issue.body ?? (await host.issueBody(issue.number));
    const comments = issue.comments > 0 ? await host.comments(issue.number) : [];
    return {
      ...this.toDocument(issueTitle(issue), issue.address),
      body: toBody(writeIssue({ ...issue, body }, comments)),
      filename: `issue-${issue.number}.md`,
      mime: "text/markdown",
      version: issueVersion(issue),
      access: await this.accessOf(partOf({ kind: "issue", issue })),
    };
  }

  private async fetchWikiPage({ slug, title, address }: Extract<Item, { kind: "wiki" }>) {
    const { text, ending } = await this.parts.host.wikiPage!(slug);
    return {
      ...this.toDocument(title, address),
      body: toBody(text),
      filename: toFilename(`${slug}${ending}`),
      access: await this.accessOf("wiki"),
    };
  }

  private toDocument(name: string, address: string) {
    const { id, settings } = this.parts;
    const owner = new URL(settings.repo).pathname.split("/").at(-2) ?? "";
    return {
      kind: "document",
      mime: null,
      source: {
        kind: "connector",
        connector: id,
        reference: settings.plainSources ? settings.repo : address,
      },
      metadata: {
        title: name,
        url: `${id}://${name}`,
        docAuthor: owner,
        description: "No description found.",
        docSource: name,
      },
    } satisfies Partial<FetchedDocument>;
  }

  access(items: readonly Item[]): Promise<AccessList[]> {
    return Promise.all(items.map((item) => this.accessOf(partOf(item))));
  }

  /** Asked once per turn. */
  private accessOf(part: Part): Promise<AccessList> {
    return this.lists.get(part, () => this.parts.host.access(part));
  }
}

const toBody = (text: string): Readable =>
  Readable.from([Buffer.from(text.toWellFormed())], { objectMode: false });

const issueTitle = ({ number, title }: ListedIssue): string => `Issue ${number}: ${title}`;
/** A deleted comment may leave the time as it was. */
const issueVersion = ({ updatedAt, comments }: ListedIssue): string => `${updatedAt} ${comments}`;

function partOf(item: Item): Part {
  if (item.kind === "file") return "files";
  if (item.kind === "wiki") return "wiki";
  return item.issue.isConfidential ? "confidential-issues" : "issues";
}

const listIssue = (issue: ListedIssue): ListedItem<Item> => ({
  externalId: `issue:${issue.number}`,
  item: { kind: "issue", issue },
  title: issueTitle(issue),
  address: issue.address,
  version: issueVersion(issue),
});

const listWikiPage = ({ slug, title, address, version }: ListedWikiPage): ListedItem<Item> => ({
  externalId: `wiki:${slug}`,
  item: { kind: "wiki", slug, title, address },
  title,
  address,
  ...(version !== undefined && { version }),
});
