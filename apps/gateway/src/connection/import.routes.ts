import { Readable } from "node:stream";
import { importPaperless, importWebsite, importYoutube, type Out } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DocumentJson } from "../document/document-json.ts";
import { Route, type Call } from "../http/route.ts";
import { OnceImport } from "./once-import.ts";

/** Imports of existing clients, which wait until everything is imported (wire-contract 6.7). */
@Injectable()
export class ImportRoutes {
  constructor(
    private readonly once: OnceImport,
    private readonly json: DocumentJson,
  ) {}

  @Route(importWebsite)
  async website(call: Call<typeof importWebsite>): Promise<unknown> {
    const { url, depth, maxLinks } = call.input;
    const settings = { url, depth, maxPages: maxLinks, sitemap: false, plainTitles: true };
    const { documentIds } = await this.once.import(call, {
      connector: "website",
      settings,
      embed: false,
    });
    const documents = [];
    for (const id of documentIds) documents.push(...(await this.json.listUploaded(call.scope, id)));
    return call.reply
      .type("application/json; charset=utf-8")
      .send(Readable.from(this.writeData(call.scope, documents), { objectMode: false }));
  }

  /** A playlist or a channel is described by its first video. */
  @Route(importYoutube)
  async youtube(call: Call<typeof importYoutube>): Promise<Out<typeof importYoutube>> {
    const { documentIds } = await this.once.import(call, {
      connector: "youtube",
      settings: { url: call.input.url },
      embed: false,
    });
    const [document] = await this.json.listUploaded(call.scope, documentIds[0]!);
    return {
      success: true,
      reason: null,
      data: {
        title: document?.title ?? "",
        author: document?.docAuthor ?? "",
        destination: document?.location.split("/")[0] ?? "",
      },
    };
  }

  @Route(importPaperless)
  async paperless(call: Call<typeof importPaperless>): Promise<Out<typeof importPaperless>> {
    const { baseUrl, apiToken } = call.input;
    const { documentIds } = await this.once.import(call, {
      connector: "paperless-ngx",
      settings: { url: baseUrl },
      credential: { token: apiToken },
      embed: false,
    });
    const [document] = await this.json.listUploaded(call.scope, documentIds[0]!);
    const destination = document?.location.split("/")[0] ?? "";
    return { success: true, reason: null, data: { files: documentIds.length, destination } };
  }

  private async *writeData(
    scope: Call["scope"],
    documents: Parameters<DocumentJson["write"]>[1],
  ): AsyncGenerator<string> {
    yield '{"success":true,"data":';
    yield* this.json.write(scope, documents);
    yield "}";
  }
}
