import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { CarrelError, clipText } from "@carrel/contracts";
import type { FetchMessageObject, FetchQueryObject, ImapFlow, MailboxObject } from "imapflow";
import { z } from "zod";
import type { Fetched, ListedItem, ListedPage, Source } from "../../connector/connector.ts";
import { toFilename } from "../../connector/file-type.ts";
import type { ImapConnection } from "./imap-connection.ts";
import type { ImapSettings } from "./imap-form.ts";

/** Where a message was listed; `uid` counts as long as its folder has this validity. */
export const imapItem = z.object({
  id: z.string(),
  folder: z.string(),
  validity: z.string(),
  uid: z.number().int(),
  messageId: z.string().nullable(),
});
export type ImapItem = z.output<typeof imapItem>;

const pageSize = 500;
const maxDocuments = 50_000;
/** The rest of more folders is left out. */
const maxFolders = 1_000;
const longestTitle = 300;
/** Of one answer: whatever is in it, asked for or not, is the server's to say. */
const maxRows = 10_000;
const maxCharacters = 10_000_000;
const wanted = { uid: true, envelope: true, size: true, internalDate: true } as const;

/** Messages that are listed, also those in several folders; the rest is left out. */
const maxListed = 1_000_000;
/** How often folders may get other numbers while they are listed: some servers never stop. */
const maxRestarts = 5;

/** What a list has of a message. */
interface MessageRow extends Pick<FetchMessageObject, "uid" | "size" | "internalDate"> {
  envelope: { subject: string; messageId: string };
}

/** Folders that are due, and the oldest message of the first one that was listed. */
const listCursor = z.object({
  folders: z.array(z.string()),
  validity: z.string(),
  before: z.number().int().nullable(),
  restarts: z.number().int(),
  /** Messages that were asked for. */
  listed: z.number().int(),
});
type ListCursor = z.output<typeof listCursor>;

/**
 * The messages in folders of a mailbox, the newest first. A message never changes, and what
 * identifies it stays when it is moved, or its folder gets other numbers.
 */
export class ImapSource implements Source<ImapItem> {
  readonly limits = { parallel: 2, maxDocuments, maxItems: maxDocuments * 2 };

  constructor(
    private readonly connection: ImapConnection,
    private readonly settings: ImapSettings,
  ) {}

  async check(): Promise<void> {
    for (const folder of (await this.chooseFolders()).slice(0, maxFolders))
      await this.inFolder(folder, () => Promise.resolve());
  }

  /** The names of folders that can have messages. */
  async listFolders(): Promise<string[]> {
    return (await this.readFolders()).slice(0, maxFolders).map(({ path }) => path);
  }

  async list(cursor: string | null): Promise<ListedPage<ImapItem>> {
    const at: ListCursor =
      cursor === null
        ? {
            folders: await this.chooseFolders(),
            validity: "",
            before: null,
            restarts: 0,
            listed: 0,
          }
        : listCursor.parse(JSON.parse(cursor));
    const [folder, ...others] = at.folders.slice(0, maxFolders);
    if (folder === undefined) return { items: [], next: null };
    return this.inFolder(folder, async (client, mailbox) => {
      const validity = validityOf(mailbox);
      // A folder that got other numbers meanwhile begins again.
      const isRestart = at.validity !== "" && at.validity !== validity;
      const restarts = at.restarts + Number(isRestart);
      if (restarts > maxRestarts) throw this.unexpected;
      const before = isRestart ? null : at.before;
      const uids = mailbox.exists === 0 || before === 1 ? [] : await this.search(client, before);
      const due = uids.toSorted((a, b) => b - a).slice(0, pageSize);
      const found: MessageRow[] = [];
      for await (const message of this.readRows(client, due)) found.push(message);
      const items = found
        .toSorted((a, b) => b.uid - a.uid)
        .map((message) => this.toListed(message, folder, validity));
      const listed = at.listed + due.length;
      const rest: ListCursor =
        uids.length > pageSize
          ? { folders: [folder, ...others], validity, before: due.at(-1)!, restarts, listed }
          : { folders: others, validity: "", before: null, restarts, listed };
      const isDone = rest.folders.length === 0;
      const isEndless = !isDone && listed >= maxListed;
      const isCut = isEndless || at.folders.length > maxFolders;
      return {
        items,
        next: isDone || isEndless ? null : JSON.stringify(rest),
        // It told fewer messages than it has.
        ...((isCut || items.length < due.length) && { isPartial: true }),
      };
    });
  }

  async fetch({ id, folder, ...item }: ImapItem): Promise<Fetched<ImapItem>> {
    const limit = this.settings.maxMegabytes * 1_000_000;
    const message = await this.connection.inFolder(folder, async (client, mailbox) => {
      const validity = validityOf(mailbox);
      const uid =
        validity === item.validity
          ? item.uid
          : await this.findAgain(client, { id, folder, messageId: item.messageId }, validity);
      const found = uid === null ? null : await this.readMessage(client, uid, limit);
      if (found === null) throw this.missing;
      return { ...found, address: this.addressOf(folder, validity, found.uid) };
    });
    const { source, envelope, address } = message;
    if (source.length === 0) return { kind: "skipped", fault: { code: "source.item-empty" } };
    if (source.length > limit) return { kind: "skipped", fault: this.tooLarge };
    const title = titleOf(message);
    const author = (envelope?.from ?? []).map(nameOf).filter((name) => name !== "");
    const published = dateOf(envelope?.date) ?? dateOf(message.internalDate);
    return {
      kind: "document",
      body: Readable.from([source]),
      filename: toFilename(title, ".eml"),
      mime: "message/rfc822",
      source: { kind: "connector", connector: "imap", reference: address.replace("imap://", "") },
      metadata: {
        title,
        url: address,
        docAuthor: clipText(author.join(", "), 200) || "no author found",
        description: clipText(`${title} (${folder})`, 1_000),
        docSource: this.connection.host,
        ...(published && { published }),
      },
    };
  }

  private inFolder<T>(
    folder: string,
    work: (client: ImapFlow, mailbox: MailboxObject) => Promise<T>,
  ): Promise<T> {
    return this.connection.inFolder(folder, work).catch((error: unknown) => {
      throw error instanceof CarrelError && error.code === "source.missing"
        ? new CarrelError("source.mail-folder-missing", { folder })
        : error;
    });
  }

  private async chooseFolders(): Promise<string[]> {
    const { folders } = this.settings;
    if (folders.length > 0) return folders;
    const all = await this.readFolders();
    const left = new Set(["\\Drafts", "\\Junk", "\\Trash"]);
    return all.filter(({ specialUse }) => !left.has(specialUse ?? "")).map(({ path }) => path);
  }

  private async readFolders() {
    const all = await this.connection.listFolders();
    return all.filter(({ flags }) => !flags.has("\\Noselect") && !flags.has("\\NonExistent"));
  }

  private async search(client: ImapFlow, before: number | null): Promise<number[]> {
    const { since } = this.settings;
    const found = await client.search(
      {
        uid: `1:${before === null ? "*" : before - 1}`,
        ...(since !== "" && { since: new Date(since) }),
      },
      { uid: true },
    );
    if (!Array.isArray(found)) throw this.unexpected;
    return before === null ? found : found.filter((uid) => uid < before);
  }

  /** The messages with these numbers, each once. */
  private async *readRows(client: ImapFlow, uids: readonly number[]): AsyncGenerator<MessageRow> {
    if (uids.length === 0) return;
    const due = new Set(uids);
    for await (const message of this.readAnswer(client, uids, wanted, maxCharacters)) {
      const { uid, size, internalDate, envelope } = message;
      // A row without one tells a change that another client has made.
      if (envelope === undefined || !due.delete(uid)) continue;
      const { subject = "", messageId = "" } = envelope;
      yield { uid, size, internalDate, envelope: { subject, messageId } };
    }
  }

  /** A message with its text up to one byte above the limit; null if the folder doesn't have it. */
  private async readMessage(client: ImapFlow, uid: number, limit: number) {
    const query = { ...wanted, source: { start: 0, maxLength: limit + 1 } };
    // A server may tell it in several rows.
    let message: Partial<FetchMessageObject> = {};
    for await (const row of this.readAnswer(client, [uid], query, limit + maxCharacters))
      if (row.uid === uid) message = { ...message, ...row };
    const { source, envelope, internalDate } = message;
    return source === undefined ? null : { uid, source, envelope, internalDate };
  }

  /** Whatever a server sends as messages; the connection is closed if there is no end to it. */
  private async *readAnswer(
    client: ImapFlow,
    uids: readonly number[],
    query: FetchQueryObject,
    most: number,
  ): AsyncGenerator<FetchMessageObject> {
    let rows = 0;
    let length = 0;
    for await (const row of client.fetch(uids.join(","), query, { uid: true })) {
      const { subject = "", messageId = "" } = row.envelope ?? {};
      rows += 1;
      length += subject.length + messageId.length + (row.source?.length ?? 0);
      if (rows > maxRows || length > most) {
        client.close();
        throw this.unexpected;
      }
      yield row;
    }
  }

  /** The number that a message has by now; null if it is gone. */
  private async findAgain(
    client: ImapFlow,
    { id, folder, messageId }: Pick<ImapItem, "id" | "folder" | "messageId">,
    validity: string,
  ): Promise<number | null> {
    if (messageId === null) return null;
    const uids = await client.search({ header: { "message-id": messageId } }, { uid: true });
    if (!Array.isArray(uids) || uids.length === 0) return null;
    for await (const message of this.readRows(client, uids.slice(0, pageSize)))
      if (identify(message, folder, validity) === id) return message.uid;
    return null;
  }

  private toListed(message: MessageRow, folder: string, validity: string): ListedItem<ImapItem> {
    const { uid, size, envelope } = message;
    const id = identify(message, folder, validity);
    return {
      externalId: id,
      item: { id, folder, validity, uid, messageId: messageIdOf(envelope) },
      title: titleOf(message),
      address: this.addressOf(folder, validity, uid),
      version: id,
      ...(size !== undefined && { bytes: size }),
      ...((size ?? 0) > this.settings.maxMegabytes * 1_000_000 && { skip: this.tooLarge }),
    };
  }

  /** RFC 5092, without the user. */
  private addressOf(folder: string, validity: string, uid: number): string {
    const path = folder.split("/").map(encodeURIComponent).join("/");
    return `imap://${this.connection.host}/${path};UIDVALIDITY=${validity}/;UID=${uid}`;
  }

  private get missing(): CarrelError {
    return new CarrelError("source.missing", { host: this.connection.host });
  }

  private get unexpected(): CarrelError {
    return new CarrelError("egress.unexpected-response", { host: this.connection.host });
  }

  private get tooLarge() {
    const { maxMegabytes: megabytes } = this.settings;
    return { code: "source.file-too-large", params: { megabytes } } as const;
  }
}

const validityOf = ({ uidValidity }: MailboxObject): string => String(uidValidity ?? 0);

const messageIdOf = ({ messageId }: MessageRow["envelope"]): string | null => {
  const text = messageId.trim();
  return text === "" || text.length > 1_000 ? null : text;
};

/**
 * Its Message-ID alone could be that of any message to which somebody wants to give another content.
 * When a message arrived is the server's to say, and stays when it is moved.
 */
function identify(
  { envelope, size, internalDate, uid }: MessageRow,
  folder: string,
  validity: string,
): string {
  const messageId = messageIdOf(envelope);
  const arrived = dateOf(internalDate);
  const parts =
    messageId === null || arrived === null
      ? [folder, validity, uid]
      : [messageId, size ?? 0, arrived];
  return hash("sha256", JSON.stringify(parts));
}

function titleOf({ envelope }: Pick<FetchMessageObject, "envelope">): string {
  const subject = (envelope?.subject ?? "").replace(/[\p{Cc}\s]+/gu, " ").toWellFormed();
  return clipText(subject.trim(), longestTitle) || "Mail without a subject";
}

const nameOf = ({ name, address }: { name?: string | undefined; address?: string | undefined }) =>
  (name || address || "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .toWellFormed()
    .trim();

/** Servers and senders write all kinds of dates. */
function dateOf(value: Date | string | undefined): string | null {
  const date = new Date(value ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
