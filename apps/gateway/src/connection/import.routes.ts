import { Readable } from "node:stream";
import { importWebsite } from "@carrel/contracts";
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

  private async *writeData(
    scope: Call["scope"],
    documents: Parameters<DocumentJson["write"]>[1],
  ): AsyncGenerator<string> {
    yield '{"success":true,"data":';
    yield* this.json.write(scope, documents);
    yield "}";
  }
}
