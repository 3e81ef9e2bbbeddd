import {
  findWorkspaces,
  searchChats,
  searchEverything,
  searchWorkspaces,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

/** Shorter terms find nothing (wire-contract 3.3). */
const shortestTerm = 3;
const maxHits = 20;

@Injectable()
export class SearchRoutes {
  constructor(private readonly requests: RequestClient) {}

  /** A view: workspaces by name, and the caller's threads by name and messages by their words. */
  @Route(searchEverything)
  async search({
    input,
    scope,
  }: Call<typeof searchEverything>): Promise<Out<typeof searchEverything>> {
    const term = input.searchTerm.trim();
    if (Array.from(term).length < shortestTerm)
      return { workspaces: [], threads: [], messages: [] };
    const [named, found] = await Promise.all([
      this.requests.request(searchWorkspaces, { term }, { scope }),
      this.requests.request(searchChats, { term, limit: maxHits }, { scope }),
    ]);
    const hits = [
      ...new Set([...found.threads, ...found.messages].map(({ workspaceId }) => workspaceId)),
    ];
    const { workspaces } =
      hits.length === 0
        ? { workspaces: [] }
        : await this.requests.request(findWorkspaces, { ids: hits }, { scope });
    const byId = new Map(workspaces.map(({ id, slug, name }) => [id, { slug, name }]));
    return {
      workspaces: named.workspaces.map(({ slug, name }) => ({ slug, name })),
      // Workspaces deleted in the meantime are left out.
      threads: found.threads.flatMap(({ workspaceId, ...thread }) =>
        withWorkspace(thread, byId.get(workspaceId)),
      ),
      messages: found.messages.flatMap(({ workspaceId, ...message }) =>
        withWorkspace(message, byId.get(workspaceId)),
      ),
    };
  }
}

const withWorkspace = <T extends object>(
  hit: T,
  workspace: { slug: string; name: string } | undefined,
): (T & { workspace: { slug: string; name: string } })[] =>
  workspace === undefined ? [] : [{ ...hit, workspace }];
