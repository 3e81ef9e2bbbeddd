import { buffer } from "node:stream/consumers";
import { findGeneratedFile, renderFault, type Scope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { statusFrame, type SocketFrame } from "./turn-frames.ts";

/** A frame holds the whole file, in memory and as one message of the socket. */
const largestFile = 10 * 1024 ** 2;

/** The card of a file that an agent has made (wire-contract 5.3). */
export interface FileCard {
  filename: string;
  storageFilename: string;
  fileSize: number;
}
export const isFileCard = (frame: SocketFrame): frame is { type: string; content: FileCard } =>
  frame.type === "fileDownloadCard";

/**
 * Files for clients of 2025, which know no cards: they save what a frame brings with it. Those of
 * today ignore that frame.
 */
@Injectable()
export class FileDownloads {
  constructor(
    private readonly requests: RequestClient,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What follows a card. Never throws: the answer matters more, and the file is kept with it. */
  async frameFor(
    scope: Scope,
    { filename, storageFilename, fileSize }: FileCard,
  ): Promise<SocketFrame> {
    if (fileSize <= largestFile)
      try {
        const found = await this.requests.request(
          findGeneratedFile,
          { file: storageFilename },
          { scope },
        );
        const { body } = await this.blobs.get(found.blobKey);
        const bytes = await buffer(body);
        return {
          type: "fileDownload",
          content: {
            filename,
            b64Content: `data:${found.mime};base64,${bytes.toString("base64")}`,
          },
        };
      } catch (error) {
        this.logger.warn({ err: error }, "couldn't send a file to an agent's client");
      }
    return statusFrame(
      renderFault({ code: "agent-session.file-not-sent", params: { file: filename } }),
    );
  }
}
