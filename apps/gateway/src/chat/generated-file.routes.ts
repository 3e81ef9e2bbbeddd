import {
  CarrelError,
  downloadGeneratedFile,
  findGeneratedFile,
  type Args,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Route, type Call } from "../http/route.ts";

/** Serves what agents made as downloads, whatever it is: browsers must not open it as a page. */
@Injectable()
export class GeneratedFileRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  @Route(downloadGeneratedFile)
  download({ input, scope, reply }: Call<typeof downloadGeneratedFile>): Promise<FastifyReply> {
    return this.send({ file: input.file }, scope, reply);
  }

  /** Throws if the caller may not read such a file. */
  async send(
    wanted: Args<typeof findGeneratedFile>,
    scope: Scope,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const found = await this.requests.request(findGeneratedFile, wanted, { scope });
    try {
      const { body, bytes } = await this.blobs.get(found.blobKey);
      return await reply
        .headers({
          "cache-control": "private, no-store",
          "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(found.name)}`,
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff",
        })
        .type(found.mime)
        .header("content-length", bytes)
        .send(body);
    } catch (error) {
      if (error instanceof BlobMissingError) throw new CarrelError("tool.file-missing");
      throw error;
    }
  }
}
