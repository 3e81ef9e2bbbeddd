import { z } from "zod";

/** A page, blog post or attachment, as Confluence lists it. */
export const confluenceItem = z.object({
  kind: z.enum(["page", "blogpost", "attachment"]),
  id: z.string(),
  /** Of an attachment. */
  pageId: z.string().optional(),
  /** What that page is; a page if absent. */
  pageKind: z.enum(["page", "blogpost"]).optional(),
  title: z.string(),
  version: z.string(),
  mediaType: z.string().optional(),
  bytes: z.number().optional(),
  /** Where an attachment's bytes and page are, below Confluence's address. */
  download: z.string().optional(),
  webui: z.string(),
});
export type ConfluenceItem = z.output<typeof confluenceItem>;

export interface ContentList {
  items: ConfluenceItem[];
  /** Addresses of further pages of the list. */
  next: string[];
  /** The list goes on, but not where. */
  isCut?: true;
}

export interface ConfluencePage {
  title: string;
  version: string;
  /** In the storage format. */
  body: string;
  webui: string;
  author: string;
  published: string;
  labels: string[];
}

/** Somebody at Confluence. */
export interface Person {
  account: string;
  email: string | null;
}

/** Who may read something: these people, and those in these groups. */
export interface ReaderList {
  people: Person[];
  groups: string[];
}

/** What Carrel reads of Confluence Cloud and self-hosted Confluence, which differ. */
export interface ConfluenceApi {
  host: string;
  /** Without a slash at its end. */
  base: string;
  listSpaces(): Promise<string[]>;
  /** Throws if there is no such space. */
  findSpace(): Promise<void>;
  /** Addresses of the first pages of the lists of what is to be imported. */
  listed(kinds: { blogPosts: boolean; attachments: boolean }): Promise<string[]>;
  list(address: string): Promise<ContentList>;
  /** null if it no longer belongs to the space. */
  readPage(item: ConfluenceItem): Promise<ConfluencePage | null>;
  /** An attachment as it is now; null if it no longer exists. */
  readAttachment(item: ConfluenceItem): Promise<ConfluenceItem | null>;
  nameOf(account: string): Promise<string | null>;
  /** What a page is in, outermost first. */
  ancestorsOf(item: ConfluenceItem): Promise<string[]>;
  /** null if the list can't be read. Two empty lists: not restricted. */
  readersOf(contentId: string): Promise<ReaderList | null>;
  /** Who may read the space; null if that can't be read. */
  spaceReaders(): Promise<ReaderList | null>;
  membersOf(group: string): Promise<Person[]>;
  /** Whether the space can be read without signing in. */
  isPublic(): Promise<boolean>;
}

/** Parts of the answers that are alike in both. */
const version = z.object({ number: z.number() });
export const attachmentWire = z.object({
  id: z.coerce.string(),
  title: z.string(),
  version,
  container: z.object({ id: z.coerce.string(), type: z.string().optional() }).optional(),
  extensions: z
    .object({ mediaType: z.string().optional(), fileSize: z.number().optional() })
    .optional(),
  metadata: z.object({ mediaType: z.string().optional() }).optional(),
  _links: z.object({ webui: z.string().optional(), download: z.string().optional() }),
});

export function toAttachment(
  wire: z.output<typeof attachmentWire>,
  pageId: string | undefined,
): ConfluenceItem[] {
  const { id, title, extensions, metadata, _links: links } = wire;
  const page = wire.container?.id ?? pageId;
  if (page === undefined || links.download === undefined) return [];
  return [
    {
      kind: "attachment",
      id,
      pageId: page,
      ...(wire.container?.type === "blogpost" && { pageKind: "blogpost" }),
      title,
      version: String(wire.version.number),
      mediaType: extensions?.mediaType ?? metadata?.mediaType,
      bytes: extensions?.fileSize,
      download: links.download,
      webui: links.webui ?? `/pages/viewpageattachments.action?pageId=${encodeURIComponent(page)}`,
    },
  ];
}

export const personWire = z.object({
  accountId: z.string().nullish(),
  username: z.string().nullish(),
  userKey: z.string().nullish(),
  email: z.string().nullish(),
});
export const toPerson = (wire: z.output<typeof personWire>): Person[] => {
  const account = wire.accountId ?? wire.username ?? wire.userKey;
  return account ? [{ account, email: wire.email || null }] : [];
};

export const restrictionWire = z.object({
  restrictions: z.object({
    user: z.object({ results: z.array(personWire), size: z.number().optional() }).optional(),
    group: z
      .object({
        results: z.array(z.object({ id: z.string().nullish(), name: z.string().nullish() })),
        size: z.number().optional(),
      })
      .optional(),
  }),
});
