import { Readable } from "node:stream";
import {
  CarrelError,
  exportUsage,
  findUsers,
  findWorkspaces,
  listUsage,
  type Args,
  type Out,
  type Scope,
  type UsageFilter,
  type UsageRow,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { writeCsvLine } from "../http/csv.ts";
import { Route, type Call } from "../http/route.ts";

export const usageHeader = writeCsvLine([
  "Time (UTC)",
  "Purpose",
  "State",
  "Workspace",
  "Workspace ID",
  "User",
  "User ID",
  "API key ID",
  "Provider",
  "Model",
  "Prompt tokens",
  "Cached prompt tokens",
  "Answer tokens",
  "Reasoning tokens",
  "Characters",
  "Audio (s)",
  "Searches",
  "Estimated",
  "Time to first token (ms)",
  "Duration (ms)",
  "Cost (USD)",
]);

/** Names are empty for anything deleted. */
interface UsageNames {
  workspaces: ReadonlyMap<number, string>;
  users: ReadonlyMap<number, string>;
}

/** @param showsKeys false for managers: only admins see API keys */
export const writeUsageLine = (
  row: UsageRow,
  { workspaces, users }: UsageNames,
  showsKeys: boolean,
): string =>
  writeCsvLine([
    row.usedAt,
    row.purpose,
    row.state,
    workspaces.get(row.workspaceId ?? 0) ?? "",
    row.workspaceId ?? "",
    users.get(row.userId ?? 0) ?? "",
    row.userId ?? "",
    showsKeys ? (row.keyId ?? "") : "",
    row.provider,
    row.model,
    row.inputTokens,
    row.cachedTokens,
    row.outputTokens,
    row.reasoningTokens,
    row.characters,
    row.audioSeconds,
    row.searches,
    row.isEstimated ? "yes" : "no",
    row.firstTokenMs ?? "",
    row.durationMs,
    row.cost === null ? "unknown" : row.cost.toFixed(6),
  ]);

type Page = Out<typeof listUsage>;

@Injectable()
export class UsageRoutes {
  constructor(private readonly requests: RequestClient) {}

  @Route(exportUsage)
  async export({ input, scope, reply }: Call<typeof exportUsage>): Promise<unknown> {
    if (input.keyId !== undefined && scope.principal.role !== "admin")
      throw new CarrelError("access.forbidden");
    // Read before sending headers, so that a failure gets a regular error response.
    const first = await this.readPage(scope, input, null);
    return reply
      .code(200)
      .headers({
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="usage-${input.from}-${input.to}.csv"`,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "access-control-expose-headers": "Content-Disposition",
      })
      .send(Readable.from(this.write(scope, input, first), { objectMode: false }));
  }

  private async *write(scope: Scope, filter: UsageFilter, first: Page): AsyncGenerator<string> {
    const showsKeys = scope.principal.role === "admin";
    const names = { workspaces: new Map<number, string>(), users: new Map<number, string>() };
    yield usageHeader;
    for (let page = first; ; page = await this.readPage(scope, filter, page.next)) {
      await this.addNames(scope, page.rows, names);
      if (page.rows.length > 0)
        yield page.rows.map((row) => writeUsageLine(row, names, showsKeys)).join("");
      if (page.next === null) return;
    }
  }

  private readPage(
    scope: Scope,
    filter: UsageFilter,
    after: Args<typeof listUsage>["after"],
  ): Promise<Page> {
    return this.requests.request(listUsage, { ...filter, after }, { scope });
  }

  /** Looks up the names that earlier pages didn't contain. */
  private async addNames(
    scope: Scope,
    rows: Page["rows"],
    names: { [kind in keyof UsageNames]: Map<number, string> },
  ): Promise<void> {
    const missing = (ids: (number | null)[], known: ReadonlyMap<number, string>): number[] =>
      [...new Set(ids.filter((id) => id !== null && !known.has(id)))] as number[];
    const workspaceIds = missing(
      rows.map(({ workspaceId }) => workspaceId),
      names.workspaces,
    );
    const userIds = missing(
      rows.map(({ userId }) => userId),
      names.users,
    );
    const [{ workspaces }, { users }] = await Promise.all([
      workspaceIds.length === 0
        ? { workspaces: [] }
        : this.requests.request(findWorkspaces, { ids: workspaceIds }, { scope }),
      userIds.length === 0
        ? { users: [] }
        : this.requests.request(findUsers, { ids: userIds }, { scope }),
    ]);
    for (const { id, name } of workspaces) names.workspaces.set(id, name);
    for (const { id, username } of users) names.users.set(id, username);
  }
}
