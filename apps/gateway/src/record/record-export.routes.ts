import { Readable } from "node:stream";
import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  builtInSystemPrompt,
  exportChatRecords,
  exportRecordedChats,
  readChatRecordText,
  readSystemPrompt,
  servicePrincipal,
  type Args,
  type ExportedRecord,
  type Out,
  type Scope,
  type ChatExportType,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { disarmFormula, quoteCell } from "../http/csv.ts";
import { Route, type Call } from "../http/route.ts";
import { RecordNames, checkViewable, noNames, usernameOf } from "./recorded-chats.view.ts";

type Page = Out<typeof exportChatRecords>;
type Text = Args<typeof readChatRecordText>["text"];

/** A prompt may have 100,000 characters, so only a few are kept. */
const keptPrompts = 50;

/**
 * Writes recorded chats while the client reads them: only a page of records, a long text or a part
 * of an image is in memory at a time.
 */
@Injectable()
export class RecordExportRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly names: RecordNames,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(exportRecordedChats)
  async export({ input, scope, reply }: Call<typeof exportRecordedChats>): Promise<unknown> {
    checkViewable(this.config);
    const format = recordFormats[input.type];
    const readPage = (after: Args<typeof exportChatRecords>["after"]): Promise<Page> =>
      this.requests.request(exportChatRecords, { ...input, after }, { scope });
    // Read before sending headers, so that a failure gets a regular error response.
    const first = await readPage(null);
    const records = this.readRecords(first, readPage, scope, input.chatType === "embed");
    return reply
      .code(200)
      .headers({
        "content-type": format.contentType,
        "content-disposition": `attachment; filename="chats.${format.extension}"`,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "access-control-expose-headers": "Content-Disposition",
      })
      .send(
        Readable.from(format.write(records, this.reader(scope, input.chatType !== "embed")), {
          objectMode: false,
        }),
      );
  }

  private async *readRecords(
    first: Page,
    readPage: (after: Page["next"]) => Promise<Page>,
    scope: Scope,
    isEmbed: boolean,
  ): AsyncGenerator<NamedRecord> {
    const known = noNames();
    for (let page = first; ; page = await readPage(page.next)) {
      await this.names.add(known, page.records);
      for (const record of page.records) {
        const whole = await this.complete(record, scope);
        if (whole === null) continue;
        yield {
          ...whole,
          workspace: known.workspaces.get(record.workspaceId)?.name ?? "unknown workspace",
          username: isEmbed ? null : usernameOf(known, record),
        };
      }
      if (page.next === null) return;
    }
  }

  /** Returns null if the chat was deleted in the meantime. */
  private async complete(record: ExportedRecord, scope: Scope): Promise<ExportedRecord | null> {
    const whole = { ...record };
    for (const text of record.long) {
      const parts = await this.openText(record.id, text, scope);
      if (parts === null) return null;
      let read = "";
      for await (const part of parts) read += part;
      if (text === "sources") whole.sources = JSON.parse(read) as string[];
      else whole[text] = read;
    }
    return whole;
  }

  private async openText(
    id: number,
    text: Text,
    scope: Scope,
  ): Promise<AsyncGenerator<string> | null> {
    const read = (from: number) =>
      this.requests.request(readChatRecordText, { id, text, from }, { scope });
    try {
      return followParts(await read(0), read);
    } catch (error) {
      if (error instanceof CarrelError && error.kind === "NOT_FOUND") return null;
      throw error;
    }
  }

  private reader(scope: Scope, hasUsers: boolean): RecordReader {
    const prompts = new LRUCache<number, string>({ max: keptPrompts });
    return {
      hasUsers,
      systemPrompt: async (workspaceId) => {
        const known = prompts.get(workspaceId);
        if (known !== undefined) return known;
        const prompt = await this.readPrompt(workspaceId);
        prompts.set(workspaceId, prompt);
        return prompt;
      },
      openImage: (recordId, { blobKey, mime, index }) =>
        blobKey === null
          ? this.openText(recordId, { image: index }, scope)
          : this.openBlob(blobKey, mime),
    };
  }

  private async readPrompt(workspaceId: number): Promise<string> {
    const scope = { principal: servicePrincipal, workspace: { id: workspaceId, slug: "" } };
    try {
      return (await this.requests.request(readSystemPrompt, {}, { scope })).prompt;
    } catch (error) {
      // The workspace was deleted, and its chats will be too.
      if (error instanceof CarrelError && error.kind === "WORKSPACE_NOT_FOUND")
        return builtInSystemPrompt;
      throw error;
    }
  }

  private async openBlob(key: string, mime: string): Promise<AsyncGenerator<string> | null> {
    try {
      return encodeImage((await this.blobs.get(key)).body, mime);
    } catch (error) {
      if (error instanceof BlobMissingError) return null;
      throw error;
    }
  }
}

async function* followParts(
  first: Out<typeof readChatRecordText>,
  read: (from: number) => Promise<Out<typeof readChatRecordText>>,
): AsyncGenerator<string> {
  for (let current = first; ; current = await read(current.next)) {
    yield current.part;
    if (current.next === null) return;
  }
}

/** In multiples of three bytes, so that the parts of base64 can be joined. */
async function* encodeImage(body: Readable, mime: string): AsyncGenerator<string> {
  yield `data:${mime};base64,`;
  let rest = Buffer.alloc(0);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.subarray(0, whole).toString("base64");
    rest = Buffer.from(bytes.subarray(whole));
  }
  if (rest.length > 0) yield rest.toString("base64");
}

/** A recorded chat with its complete texts. */
export interface NamedRecord extends Pick<
  ExportedRecord,
  | "id"
  | "workspaceId"
  | "sessionId"
  | "visitor"
  | "sentAt"
  | "rating"
  | "question"
  | "answer"
  | "sources"
  | "images"
> {
  workspace: string;
  /** null: a widget visitor. */
  username: string | null;
}

/** Reads more data while a record is written. */
export interface RecordReader {
  /** False for widget visitors, whose records have no username. */
  hasUsers: boolean;
  systemPrompt(workspaceId: number): Promise<string>;
  /** The data URL of an image in parts of base64; null if its bytes are gone. */
  openImage(
    recordId: number,
    image: ExportedRecord["images"][number],
  ): Promise<AsyncIterable<string> | null>;
}

type Written = AsyncGenerator<string>;
interface RecordFormat {
  contentType: string;
  extension: string;
  write(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written;
}

const ratingOf = ({ rating }: NamedRecord): string =>
  rating === null ? "--" : rating ? "GOOD" : "BAD";

const visitorColumns = ["session_id", "visitor", "visitor_verified"];
const isVerified = ({ visitor }: NamedRecord): boolean => visitor?.isVerified ?? false;

const writeCell = (text: string): string =>
  quoteCell(disarmFormula(text).replace(/\r\n|\r|\n/g, " "));

async function* writeCsv(records: AsyncIterable<NamedRecord>, { hasUsers }: RecordReader): Written {
  const columns = ["id", "workspace", "prompt", "response", "sent_at"];
  yield [...columns, ...(hasUsers ? ["username", "rating"] : visitorColumns)].join(",");
  for await (const record of records) {
    const cells = [
      writeCell(String(record.id)),
      ...[record.workspace, record.question, record.answer].map(writeCell),
      writeCell(String(new Date(record.sentAt))),
      ...(hasUsers
        ? [writeCell(record.username ?? ""), writeCell(ratingOf(record))]
        : [
            writeCell(record.sessionId ?? ""),
            writeCell(record.visitor?.name ?? ""),
            writeCell(String(isVerified(record))),
          ]),
    ];
    yield `\n${cells.join(",")}`;
  }
}

async function* writeJson(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written {
  let separator = "[\n";
  for await (const record of records) {
    const row = JSON.stringify({
      id: record.id,
      prompt: record.question,
      response: record.answer,
      sent_at: record.sentAt,
      workspace: record.workspace,
      ...(record.username === null
        ? {
            session_id: record.sessionId,
            visitor: record.visitor?.name ?? null,
            visitor_verified: isVerified(record),
          }
        : { username: record.username, rating: ratingOf(record) }),
    });
    yield `${separator}${row.slice(0, -1)},"attachments":[`;
    yield* joined(writeImages(record, reader));
    yield "]}";
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : "\n]";
}

/** One line per workspace, whose records follow each other. */
async function* writeJsonl(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written {
  const textOf = (text: string): string => JSON.stringify({ type: "text", text });
  let workspaceId: number | null = null;
  for await (const record of records) {
    if (record.workspaceId !== workspaceId) {
      const system = textOf(await reader.systemPrompt(record.workspaceId));
      yield `${workspaceId === null ? "" : "]}\n"}{"messages":[{"role":"system","content":[${system}]}`;
      ({ workspaceId } = record);
    }
    yield `,{"role":"user","content":[${textOf(record.question)}`;
    for await (const image of writeImages(record, reader)) {
      yield ",";
      yield* image;
    }
    yield `]},{"role":"assistant","content":[${textOf(record.answer)}]}`;
  }
  if (workspaceId !== null) yield "]}";
}

async function* writeAlpaca(records: AsyncIterable<NamedRecord>, reader: RecordReader): Written {
  let separator = "[\n";
  for await (const record of records) {
    const prompt = await reader.systemPrompt(record.workspaceId);
    yield `${separator}${JSON.stringify({
      instruction: `${prompt}${writeContext(record.sources)}`,
      input: record.question,
      output: record.answer,
    })}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : "\n]";
}

/** Numbered as in the prompt (wire-contract 4.7), because answers cite these numbers. */
const writeContext = (texts: readonly string[]): string =>
  texts.length === 0
    ? ""
    : `\nContext:\n${texts.map((text, index) => `[CONTEXT ${index + 1}]:\n${text}\n[END CONTEXT ${index + 1}]\n\n`).join("")}`;

async function* writeImages(
  { id, images }: NamedRecord,
  reader: RecordReader,
): AsyncGenerator<AsyncIterable<string>> {
  for (const image of images) {
    const parts = await reader.openImage(id, image);
    if (parts !== null) yield writeImage(parts);
  }
}

async function* writeImage(parts: AsyncIterable<string>): Written {
  yield '{"type":"image","image":"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"}';
}

async function* joined(items: AsyncIterable<AsyncIterable<string>>): Written {
  let separator = "";
  for await (const item of items) {
    yield separator;
    yield* item;
    separator = ",";
  }
}

export const recordFormats: Record<ChatExportType, RecordFormat> = {
  csv: { contentType: "text/csv; charset=utf-8", extension: "csv", write: writeCsv },
  json: { contentType: "application/json; charset=utf-8", extension: "json", write: writeJson },
  jsonl: { contentType: "application/jsonl; charset=utf-8", extension: "jsonl", write: writeJsonl },
  jsonAlpaca: {
    contentType: "application/json; charset=utf-8",
    extension: "json",
    write: writeAlpaca,
  },
};
