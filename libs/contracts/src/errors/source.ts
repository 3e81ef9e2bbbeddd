import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of sources that documents are imported from, and of their items. */
export const sourceErrors = {
  "source.not-found": { kind: "NOT_FOUND", message: "This source doesn't exist." },
  "source.connector-unknown": {
    kind: "BAD_INPUT",
    message: "This server can't import from this kind of source.",
  },
  "source.setting-invalid": { kind: "BAD_INPUT", message: "The field {{field}} isn't valid." },
  "source.credential-due": {
    kind: "BAD_INPUT",
    message: "Enter the credential again: it was saved for another server.",
  },
  "source.credential-unreadable": {
    kind: "BAD_INPUT",
    message: "The stored credential can't be read. Enter it again.",
  },
  "source.credential-deleted": {
    kind: "BAD_INPUT",
    message: "The person whose credential this source used was deleted. Enter another credential.",
  },
  "source.of-another": {
    kind: "FORBIDDEN",
    message: "Only its owner or a manager can change this source.",
  },
  "source.permissions-of-another": {
    kind: "FORBIDDEN",
    message: "Only the owner of this source can let more people see its documents.",
  },
  "source.importing": { kind: "CONFLICT", message: "Cancel the running import first." },
  "source.not-importing": { kind: "CONFLICT", message: "No import of this source is open." },
  "source.never-imported": { kind: "CONFLICT", message: "This source hasn't been imported yet." },
  "source.interrupted": {
    kind: "INTERNAL",
    message: "The import was interrupted {{runs}} times without progress. Try again.",
    isRetryable: false,
  },
  "source.nothing-found": {
    kind: "NOT_FOUND",
    message: "Found nothing to import. Check the address, and what the credential may read.",
  },
  "source.not-recognised": {
    kind: "LINK_UNREACHABLE",
    message: "{{host}} doesn't answer like {{name}}. Check the address.",
  },
  "source.busy": {
    kind: "BUSY",
    message: "{{host}} is receiving too many requests. Try again later.",
  },
  "source.kept-waiting": {
    kind: "LINK_UNREACHABLE",
    message: "{{host}} kept asking Carrel to wait.",
  },
  "source.denied": {
    kind: "LINK_REFUSED",
    message: "{{host}} refused access (status {{status}}).",
  },
  "source.missing": {
    kind: "LINK_UNREACHABLE",
    message: "{{host}} doesn't have this item.",
  },
  "source.failing": {
    kind: "LINK_UNREACHABLE",
    message: "{{host}} answered with status {{status}}.",
    isRetryable: true,
  },
  "source.gone": { kind: "NOT_FOUND", message: "The source no longer lists it." },
  "source.item-empty": { kind: "DOCUMENT_UNREADABLE", message: "There is nothing in it." },
  "source.item-restricted": {
    kind: "REFUSED",
    message: "Only some people may see it in the source.",
  },
  "source.same-as": { kind: "REFUSED", message: "It has the same content as {{address}}." },
  "source.over-limit": {
    kind: "REFUSED",
    message: "The limit of {{limit}} documents was reached.",
  },
  "source.too-many-items": {
    kind: "REFUSED",
    message: "The source has more than {{limit}} items; the rest was left out.",
  },
  "source.type-unwanted": { kind: "REFUSED", message: "Files of this type aren't imported." },
  "source.robots": {
    kind: "LINK_REFUSED",
    message: "robots.txt of {{host}} asks programs not to read this page.",
  },
  "source.no-index": { kind: "REFUSED", message: "The page asks not to be indexed." },
  "source.out-of-scope": {
    kind: "REFUSED",
    message: "It leads to {{address}}, which is outside the part to import.",
  },
  "source.moved": { kind: "REFUSED", message: "It has moved to {{address}}." },
  "source.seems-down": {
    kind: "REFUSED",
    message:
      "{{count}} documents now lead to other pages. They were kept, in case the source is down.",
  },
  "source.listed-in-part": {
    kind: "REFUSED",
    message:
      "Part of the source couldn't be listed. What was imported from there was checked one by one.",
  },
  "source.no-browser": {
    kind: "DISABLED",
    message: "Pages can't be read with scripts: no browser is set up on the server.",
  },
  "source.page-endless": {
    kind: "LINK_UNREACHABLE",
    message: "The page's scripts didn't end in time.",
  },
  "source.repository-missing": {
    kind: "NOT_FOUND",
    message: "{{host}} has no such repository, or the token may not read it.",
  },
  "source.branch-missing": { kind: "NOT_FOUND", message: "The repository has no {{branch}}." },
  "source.submodule": { kind: "REFUSED", message: "It is a submodule, which is a repository." },
  "source.symbolic-link": { kind: "REFUSED", message: "It is a symbolic link to another file." },
  "source.lfs-pointer": {
    kind: "REFUSED",
    message: "Its content is in Git LFS, and isn't imported.",
  },
  "source.binary": { kind: "REFUSED", message: "It is a binary file." },
  "source.file-too-large": {
    kind: "REFUSED",
    message: "It is larger than {{megabytes}} MB.",
  },
  "source.archived": {
    kind: "REFUSED",
    message: "It is archived ({{storage}}). Restore it first.",
  },
  "source.bucket-missing": { kind: "NOT_FOUND", message: "{{host}} has no bucket {{bucket}}." },
  "source.key-refused": {
    kind: "LINK_REFUSED",
    message: "{{host}} doesn't accept the access key or its secret.",
  },
  "source.name-unusable": {
    kind: "REFUSED",
    message: "Its path is too long, or has parts that aren't allowed.",
  },
  "source.folder-not-allowed": {
    kind: "LINK_REFUSED",
    message: "Files of the server in {{path}} may not be imported. An admin can allow the folder.",
  },
  "source.folder-missing": {
    kind: "NOT_FOUND",
    message: "The server has no folder {{path}}.",
  },
  "source.file-unreadable": {
    kind: "LINK_REFUSED",
    message: "Carrel has no permission to read it on the server.",
  },
  "source.sign-in-refused": {
    kind: "LINK_REFUSED",
    message: "{{host}} refused the username or the password.",
  },
  "source.encryption-refused": {
    kind: "LINK_REFUSED",
    message: "{{host}} offers no encryption that can be trusted, so no password was sent.",
  },
  "source.mail-folder-missing": {
    kind: "NOT_FOUND",
    message: "The mailbox has no folder {{folder}}.",
  },
  "source.canonical": { kind: "REFUSED", message: "It is a copy of {{address}}." },
  "source.youtube-blocked": {
    kind: "LINK_REFUSED",
    message: "YouTube takes this server for a bot and refuses it. Try again later.",
  },
  "source.youtube-consent": {
    kind: "LINK_REFUSED",
    message: "YouTube shows this server its cookie notice instead of the video. Try again later.",
  },
  "source.video-private": { kind: "LINK_REFUSED", message: "The video is private." },
  "source.video-age-restricted": {
    kind: "LINK_REFUSED",
    message: "YouTube shows the video only to people whose age it knows.",
  },
  "source.video-live": {
    kind: "REFUSED",
    message: "The video is live or hasn't started yet. Its captions are available afterwards.",
  },
  "source.video-unavailable": { kind: "LINK_REFUSED", message: "YouTube says: {{reason}}" },
  "source.no-captions": { kind: "REFUSED", message: "The video has no captions." },
  "source.no-captions-in": {
    kind: "REFUSED",
    message: "The video has no captions in {{language}}, only in {{languages}}.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of what is kept in sync with its source. */
export const watchErrors = {
  "watch.disabled": {
    kind: "DISABLED",
    message: "Live sync is off. An admin can turn it on.",
  },
  "watch.source-unknown": {
    kind: "REFUSED",
    message: "Carrel no longer knows how to fetch this. Import it again.",
  },
  "watch.nothing-synced": {
    kind: "LINK_UNREACHABLE",
    message: "None of the items could be fetched. The last import says why.",
  },
  "watch.not-found": { kind: "NOT_FOUND", message: "This is no longer watched." },
  "watch.by-managers": { kind: "FORBIDDEN", message: "Only managers can change this." },
} as const satisfies Record<string, ErrorDefinition>;
