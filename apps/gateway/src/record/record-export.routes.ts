import { Readable } from "node:stream";
import type { InstanceConfig } from "@carrel/config";
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
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { Route, type Call } from "../http/route.ts";
import { recordFormats, type NamedRecord, type RecordReader } from "./record-formats.ts";
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
    @Inject(CONFIG) private readonly config: InstanceConfig,
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
