import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  clipText,
  importVault,
  registerDocument,
  vaultNote,
  writeChunkSource,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, putContent, TooLargeError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { inPieces } from "../developer/raw-texts.ts";
import { DocumentWait, unreadable } from "../document/document-wait.ts";
import { cleanFileName } from "../document/path-parts.ts";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";

type Result = NonNullable<Out<typeof importVault>["data"]>["results"][number];
/** A note is registered, or its result is known. */
type Outcome = { file: string; documentId: string } | Result;

const atOnce = 8;
const longestPath = 1_000;

/** Notes of Obsidian that existing clients send in one request (wire-contract 6.7). */
@Injectable()
export class VaultImportRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly wait: DocumentWait,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(importVault)
  async import({
    input: { files },
    scope,
    request,
    signal,
  }: Call<typeof importVault>): Promise<Out<typeof importVault>> {
    const key = requestKey(request);
    const destination = `obsidian-vault-${hash("sha256", key).slice(0, 4)}`;
    const outcomes: Outcome[] = [];
    for (let at = 0; at < files.length && !signal.aborted; at += atOnce) {
      const some = files.slice(at, at + atOnce);
      const register = (file: unknown, n: number): Promise<Outcome> =>
        this.register(file, { number: at + n, key, folder: destination }, scope);
      outcomes.push(...(await Promise.all(some.map(register))));
      // Notes that are refused wait for nothing.
      await nextTurn();
    }
    const results = await this.awaitAll(outcomes, scope, signal);
    const count = (wanted: Result["status"]): number =>
      results.filter(({ status }) => status === wanted).length;
    return {
      success: true,
      reason: null,
      data: {
        processed: count("success"),
        failed: count("failed"),
        total: files.length,
        results,
        destination,
      },
    };
  }

  /** A note that can't be stored or registered doesn't keep the others from it. */
  private async register(
    sent: unknown,
    { number, key, folder }: { number: number; key: string; folder: string },
    scope: Scope,
  ): Promise<Outcome> {
    const parsed = vaultNote.safeParse(sent);
    const file = parsed.success ? cleanPath(parsed.data.path || parsed.data.name) : "";
    if (!parsed.success || file === "")
      return {
        file: `files[${number}]`,
        status: "failed",
        reason: new CarrelError("source.setting-invalid", { field: `files[${number}]` }).message,
      };
    const { name, content } = parsed.data;
    const limit = this.config.CARREL_MAX_UPLOAD;
    if (!content?.trim())
      return { file, status: "skipped", reason: new CarrelError("source.item-empty").message };
    try {
      const title = cleanFileName(name);
      const stored = await putContent(
        this.blobs,
        Readable.from(inPieces(Buffer.from(content))),
        limit,
      );
      const address = writeChunkSource({
        kind: "connector",
        connector: "obsidian",
        reference: file,
      });
      const { documentId } = await this.requests.request(
        registerDocument,
        {
          blobKey: stored.key,
          sha256: stored.sha256,
          bytes: stored.bytes,
          filename: /\.(md|markdown)$/i.test(title) ? title : `${title}.md`,
          mime: "text/markdown",
          embed: false,
          folder,
          isUpload: true,
          metadata: {
            title,
            url: address,
            docAuthor: "Obsidian Vault",
            description: title,
            docSource: "Obsidian Vault",
            chunkSource: address,
          },
        },
        { scope, idempotencyKey: `${key}/${number}` },
      );
      return { file, documentId };
    } catch (error) {
      const fault =
        error instanceof TooLargeError
          ? new CarrelError("source.file-too-large", { megabytes: Math.floor(limit / 1_000_000) })
          : error;
      if (!(fault instanceof CarrelError)) throw error;
      return { file, status: "failed", reason: fault.message };
    }
  }

  private async awaitAll(
    outcomes: readonly Outcome[],
    scope: Scope,
    signal: AbortSignal,
  ): Promise<Result[]> {
    const ids = outcomes.flatMap((outcome) =>
      "documentId" in outcome ? [outcome.documentId] : [],
    );
    const ended = await this.wait.forEnd(ids, scope, signal);
    const faults = new Map(
      ended
        .filter(({ state }) => state === "failed")
        .map(({ documentId, reason }) => [documentId, unreadable(reason).message]),
    );
    return outcomes.map((outcome) => {
      if (!("documentId" in outcome)) return outcome;
      const reason = faults.get(outcome.documentId);
      return {
        file: outcome.file,
        ...(reason === undefined
          ? { status: "success" as const }
          : { status: "failed" as const, reason }),
      };
    });
  }
}

/** A path inside the vault; it is shown, and leads nowhere. */
const cleanPath = (path: string): string =>
  clipText(
    path
      .slice(0, longestPath)
      .replace(/\p{Cc}/gu, "")
      .split(/[\\/]+/)
      .filter((part) => part !== "" && part !== "." && part !== "..")
      .join("/"),
    longestPath,
  );
