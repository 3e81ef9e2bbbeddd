import {
  deleteWorkspace,
  listWorkspaces,
  searchWorkspaces,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { callerRights } from "./caller-rights.ts";
import { admin, as, member, startWorkspaceSuite } from "./workspace-suite.ts";

const { carrel, current, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;

beforeEach(() => {
  workspace = current();
});

describe("searching workspaces", () => {
  const search = async (term: string, principal: Principal = member): Promise<string[]> =>
    (await request(searchWorkspaces, { term }, as(principal))).workspaces.map(({ slug }) => slug);

  it.each(callerRights)("%s", async (_name, principal, uses) => {
    expect((await search(workspace.name.slice(5), principal)).includes(workspace.slug)).toBe(uses);
    // With two typos.
    expect((await search(`xx${workspace.name.slice(2)}`, principal)).includes(workspace.slug)).toBe(
      uses,
    );
    expect(await search("no such workspace anywhere", principal)).toEqual([]);
  });

  it("is quick among 5,000 workspaces and never finds deleted ones", async () => {
    await carrel.sql.query(
      `INSERT INTO workspace.workspace (slug, name)
      SELECT 'bulk-' || n, 'Bulk of team ' || n
      FROM generate_series(1, 5000) AS n`,
    );
    const times: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const begun = performance.now();
      expect(await search("bulk of team 4711", admin)).toContain("bulk-4711");
      times.push(performance.now() - begun);
    }
    const median = times.toSorted((a, b) => a - b)[7]!;
    // End to end: queue, PostgreSQL, search and reply.
    expect(median).toBeLessThan(5_000);
    process.stdout.write(
      `search of 5,000 workspaces, request to answer: median ${median.toFixed(1)} ms\n`,
    );
    await request(deleteWorkspace, { slug: workspace.slug }, within(admin));
    expect(await search(workspace.name, admin)).toEqual([]);
    await carrel.sql.query(`DELETE FROM workspace.workspace WHERE slug LIKE 'bulk-%'`);
    expect(
      (await request(listWorkspaces, {}, as(admin))).workspaces.every(
        ({ slug }) => !slug.startsWith("bulk-"),
      ),
    ).toBe(true);
  });
});
