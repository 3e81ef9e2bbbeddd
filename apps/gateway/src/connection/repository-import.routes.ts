import path from "node:path";
import {
  CarrelError,
  importRepository,
  listChoicesOnce,
  listRepositoryBranches,
  readRepositoryAddress,
  type Out,
  type RepositoryPlatform,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentJson } from "../document/document-json.ts";
import { Route, type Call } from "../http/route.ts";
import { OnceImport } from "./once-import.ts";

interface Repository {
  platform: RepositoryPlatform;
  repo: string;
  accessToken?: string | null | undefined;
}

/** Imports of repositories by existing clients, which wait until they end (wire-contract 6.7). */
@Injectable()
export class RepositoryImportRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly once: OnceImport,
    private readonly json: DocumentJson,
  ) {}

  @Route(listRepositoryBranches)
  async branches({
    input,
    scope,
  }: Call<typeof listRepositoryBranches>): Promise<Out<typeof listRepositoryBranches>> {
    return { success: true, reason: null, data: { branches: await this.list(input, scope) } };
  }

  @Route(importRepository)
  async import(call: Call<typeof importRepository>): Promise<Out<typeof importRepository>> {
    const { platform, repo, ignorePaths, fetchIssues, fetchWikis, ...input } = call.input;
    const address = readRepositoryAddress(platform, repo);
    if (address === null) throw new CarrelError("source.setting-invalid", { field: "repo" });
    const branch = input.branch || (await this.list(call.input, call.scope))[0];
    const { documentIds } = await this.once.import(call, {
      connector: platform,
      settings: {
        repo,
        ...(branch !== undefined && { branch }),
        ignore: ignorePaths ?? [],
        plainSources: true,
        ...(platform === "gitlab" && { issues: fetchIssues, wiki: fetchWikis }),
      },
      ...toCredential(input),
      embed: false,
    });
    const [document] = await this.json.listUploaded(call.scope, documentIds[0]!);
    return {
      success: true,
      reason: null,
      data: {
        author: path.posix.dirname(address.path),
        repo: path.posix.basename(address.path),
        ...(platform === "gitlab" && { projectId: encodeURIComponent(address.path) }),
        branch: branch ?? "",
        files: documentIds.length,
        destination: path.posix.dirname(document?.location ?? ""),
      },
    };
  }

  private async list(repository: Repository, scope: Scope): Promise<string[]> {
    const { platform: connector, repo } = repository;
    const { choices } = await this.requests.request(
      listChoicesOnce,
      { connector, settings: { repo }, ...toCredential(repository), field: "branch" },
      { scope },
    );
    return choices;
  }
}

const toCredential = ({ accessToken: token }: Pick<Repository, "accessToken">) =>
  token ? { credential: { token } } : {};
