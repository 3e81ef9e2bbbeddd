import {
  createWorkspace,
  getWorkspaceSettings,
  listWorkspaces,
  readWorkspace,
  readWorkspacePage,
  updateMembers,
  updateWorkspace,
  type WorkspaceWire,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  person,
  scopeOf,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const admin = person(1, "admin");
const member = person(3);
const updates = [
  {},
  { openAiTemp: 0.1, openAiHistory: 0, similarityThreshold: 1, topN: 100, chatMode: "query" },
  {
    openAiPrompt: '"Quoted" \\ and\n\ttabs, \u0001 control \u007f, 日本 😀 \u2028 </script>',
    queryRefusalResponse: "Nein – gar nichts.",
    chatProvider: "ollama",
    chatModel: "llama3:8b",
    agentProvider: "openai",
    agentModel: "gpt-4o",
    vectorSearchMode: "rerank",
    lastUpdatedAt: "2026-02-03T04:05:06.007Z",
  },
];
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
const as = (principal: Principal): Scope => scopeOf(principal);

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
  carrel.accounts.add(1, "ada", "admin");
  carrel.accounts.add(3, "mia");
  for (const [index, update] of updates.entries()) {
    const { workspace } = await request(createWorkspace, { name: `Room ${index} ü` }, as(admin));
    const { id, slug } = workspace!;
    await request(updateWorkspace, { slug, ...update }, scopeOf(admin, { id, slug }));
    await request(updateMembers, { id, userIds: [3] }, as(admin));
  }
  await carrel.sql.query(
    `UPDATE workspace.workspace SET picture_key = 'picture/abc' WHERE name LIKE 'Room 2%'`,
  );
});
afterAll(() => carrel.stop());

it("PostgreSQL builds the same bytes as the entity mapper", async () => {
  for (const principal of [admin, member]) {
    const { workspaces } = await request(listWorkspaces, {}, as(principal));
    expect(workspaces).toHaveLength(updates.length);
    const { version, page } = await request(readWorkspacePage, {}, as(principal));
    expect(page).toEqual({ items: JSON.stringify(workspaces).slice(1, -1), next: null });
    expect(await request(readWorkspacePage, { knownVersion: version }, as(principal))).toEqual({
      version,
      page: null,
    });
    for (const listed of workspaces) {
      const scope = scopeOf(principal, { id: listed.id, slug: listed.slug });
      const { workspace } = await request(getWorkspaceSettings, {}, scope);
      const text = (await request(readWorkspace, {}, scope)).workspace;
      if (principal === admin) expect(text).toBe(JSON.stringify(workspace));
      else expect(text.startsWith(JSON.stringify(workspace).slice(0, -1))).toBe(true);
    }
  }
});

it("a page the caller has cached is sent again once anything on it has changed", async () => {
  const { version, page } = await request(readWorkspacePage, {}, as(member));
  const listed = JSON.parse(`[${page!.items}]`) as WorkspaceWire[];
  const { id, slug } = listed[0]!;
  const read = async (known: string): Promise<{ version: string; names: string[] | null }> => {
    const reply = await request(readWorkspacePage, { knownVersion: known }, as(member));
    const items = reply.page && (JSON.parse(`[${reply.page.items}]`) as WorkspaceWire[]);
    return { version: reply.version, names: items && items.map(({ name }) => name) };
  };
  await request(updateWorkspace, { slug, name: "Renamed" }, scopeOf(admin, { id, slug }));
  const renamed = await read(version);
  expect(renamed.names).toContain("Renamed");
  expect((await read(renamed.version)).names).toBeNull();
  await request(updateMembers, { id, userIds: [] }, as(admin));
  const left = await read(renamed.version);
  expect(left.names).toHaveLength(listed.length - 1);
  await request(updateMembers, { id, userIds: [3] }, as(admin));
  expect((await read(left.version)).names).toEqual(renamed.names);
});
