import type {
  ConnectionRunWire,
  ConnectionWire,
  ConnectorField,
  ConnectorWire,
  FaultWire,
  SourceItemWire,
} from "@carrel/contracts";

const field = (
  name: string,
  kind: ConnectorField["kind"],
  label: string,
  more: Partial<ConnectorField> = {},
): ConnectorField => ({ name, kind, label, required: false, ...more });

const connector = (
  id: string,
  label: string,
  description: string,
  more: Partial<ConnectorWire> = {},
): ConnectorWire => ({
  id,
  label,
  description,
  fields: [field("url", "address", "Address", { required: true })],
  credentialFields: [],
  abilities: { permissions: false, changes: false, discovers: false },
  ...more,
});

/** Some kinds of sources; the app knows none of them. */
export const connectors = (): ConnectorWire[] => [
  connector("website", "Website", "Import the pages of a site, following its links and sitemap.", {
    fields: [
      field("url", "address", "Start page", {
        required: true,
        placeholder: "https://docs.example.com/guide/",
      }),
      field("depth", "number", "Link depth", {
        help: "How many links away from the start page Carrel follows.",
        default: 2,
        min: 0,
        max: 10,
      }),
      field("scope", "choice", "Part of the site", {
        default: "folder",
        options: [
          { value: "folder", label: "Only the start page's folder" },
          { value: "site", label: "The whole site" },
        ],
      }),
      field("files", "switch", "Include linked files", {
        help: "PDFs and Office files that pages link to.",
        default: false,
      }),
      field("exclude", "lines", "Excluded paths", {
        help: "One per line, such as /blog/archive.",
        default: [],
        advanced: true,
      }),
    ],
    abilities: { permissions: false, changes: false, discovers: true },
  }),
  connector("github", "GitHub", "Import the files of a repository, with its issues and wiki.", {
    fields: [
      field("repo", "address", "Repository", {
        required: true,
        placeholder: "https://github.com/owner/repository",
      }),
      field("branch", "text", "Branch", { isListed: true, help: "Empty: the default branch." }),
    ],
    credentialFields: [
      field("token", "secret", "Access token", {
        help: "Needs to read the repository's contents.",
      }),
    ],
    abilities: { permissions: true, changes: true, discovers: false },
  }),
  connector("gitlab", "GitLab", "Import the files of a project, with its issues and wiki."),
  connector("gitea", "Gitea", "Import the files of a repository on Gitea or Forgejo."),
  connector("confluence", "Confluence", "Import the pages of a space with their attachments.", {
    fields: [
      field("url", "address", "Address", { required: true }),
      field("space", "text", "Space", { isListed: true, help: "Its key, such as HR." }),
      field("attachments", "switch", "Include attachments", { default: true }),
    ],
    credentialFields: [
      field("user", "text", "Email address", { help: "Empty for a personal access token." }),
      field("token", "secret", "API token", { required: true }),
    ],
    abilities: { permissions: true, changes: false, discovers: false },
  }),
  connector("notion", "Notion", "Import pages and databases shared with an integration."),
  connector("feed", "RSS or Atom feed", "Import the entries of a feed as they appear."),
  connector("imap", "Mailbox", "Import the mails of a mailbox with their attachments."),
  connector("elsewhere", "Something else", "A kind of source that the app has no picture for."),
];

const startedAt = new Date(Date.now() - 600_000).toISOString();

export const runWire = (
  connectionId: string,
  more: Partial<ConnectionRunWire> = {},
): ConnectionRunWire => ({
  id: "aaaaaaaa-0000-4000-8000-000000000001",
  connectionId,
  state: "finished",
  isListed: true,
  found: 214,
  fetched: 198,
  unchanged: 0,
  skipped: 16,
  failed: 0,
  removed: 0,
  bytes: 18_400_000,
  startedBy: null,
  createdAt: startedAt,
  startedAt,
  endedAt: new Date(Date.now() - 120_000).toISOString(),
  waitsUntil: null,
  fault: null,
  ...more,
});

export const connectionWire = (n: number, more: Partial<ConnectionWire> = {}): ConnectionWire => {
  const id = `bbbbbbbb-0000-4000-8000-00000000000${n}`;
  return {
    id,
    connector: "website",
    name: "stadtwerke.example/tarife",
    settings: { url: "https://stadtwerke.example/tarife/", depth: 2, scope: "folder" },
    hasCredential: false,
    ownerId: null,
    mayChange: true,
    mirrorPermissions: false,
    matchAccounts: false,
    accessCheckedAt: null,
    accessFault: null,
    documents: 198,
    createdAt: startedAt,
    updatedAt: startedAt,
    run: runWire(id),
    ...more,
  };
};

export const sourceItem = (
  n: number,
  state: SourceItemWire["state"],
  fault: FaultWire | null = null,
): SourceItemWire => ({
  id: `item-${n}`,
  title: `Page ${n}`,
  address: `https://docs.example.com/guide/${n}.html`,
  state,
  fault,
  documentId: state === "fetched" ? `cccccccc-0000-4000-8000-00000000000${n}` : null,
  bytes: state === "fetched" ? 48_200 : null,
  updatedAt: startedAt,
});
