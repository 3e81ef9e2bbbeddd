import { importConfluence, importDrupalwiki, type Args, type importOnce } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DocumentJson } from "../document/document-json.ts";
import { Route, type Call } from "../http/route.ts";
import { OnceImport } from "./once-import.ts";

/** Imports of wikis by existing clients (wire-contract 6.7). */
@Injectable()
export class WikiImportRoutes {
  constructor(
    private readonly once: OnceImport,
    private readonly json: DocumentJson,
  ) {}

  @Route(importConfluence)
  async confluence(call: Call<typeof importConfluence>): Promise<unknown> {
    const { baseUrl, spaceKey, username, accessToken, personalAccessToken } = call.input;
    const destination = await this.import(call, {
      connector: "confluence",
      settings: {
        url: baseUrl,
        space: spaceKey,
        deployment: call.input.cloud ? "cloud" : "self-hosted",
        anyCertificate: call.input.bypassSSL,
        attachments: false,
        permissions: false,
      },
      credential: { username, accessToken, personalAccessToken },
      embed: false,
    });
    return { success: true, reason: null, data: { spaceKey, destination } };
  }

  @Route(importDrupalwiki)
  async drupalwiki(call: Call<typeof importDrupalwiki>): Promise<unknown> {
    const { baseUrl, spaceIds, accessToken } = call.input;
    const destination = await this.import(call, {
      connector: "drupalwiki",
      settings: { url: baseUrl, spaces: spaceIds },
      credential: { token: accessToken },
      embed: false,
    });
    return { success: true, reason: null, data: { spaceIds, destination } };
  }

  /** Returns the folder that the documents are in. */
  private async import(call: Call, source: Args<typeof importOnce>): Promise<string> {
    const { documentIds } = await this.once.import(call, source);
    const [document] = await this.json.listUploaded(call.scope, documentIds[0]!);
    return document?.location.split("/")[0] ?? "";
  }
}
