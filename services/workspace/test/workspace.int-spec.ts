import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import {
  confirmWorkspaceDeleted,
  createWorkspace,
  deleteWorkspace,
  findMissingWorkspaces,
  listWorkspaces,
  resolveWorkspace,
  settingsChanged,
  updateSettings,
  updateWorkspace,
  workspaceDeleted,
  workspaceUpdated,
  instancePrincipal,
  servicePrincipal,
  type Principal,
  type Role,
  type Scope,
} from "@carrel/contracts";
import {
  createSharedInfrastructure,
  startService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { listening, startTestRedis, testDatabase, waitFor } from "@carrel/testing";
import { DataSource } from "typeorm";
import { workspaceService } from "../src/index.ts";

const home = mkdtempSync(join(tmpdir(), "carrel-workspace-"));
const scope: Scope = { principal: instancePrincipal, workspace: null };
const service: Scope = { principal: servicePrincipal, workspace: null };
const person = (userId: number, role: Role = "default"): Scope => ({
  principal: { kind: "user", userId, role } satisfies Principal,
  workspace: null,
});
let shared: SharedInfrastructure;
let running: Awaited<ReturnType<typeof startService>>[] = [];
let database: Awaited<ReturnType<typeof testDatabase>>;
let redis: Awaited<ReturnType<typeof startTestRedis>>;
let sql: DataSource;

beforeAll(async () => {
  [database, redis] = await Promise.all([testDatabase(), startTestRedis({ appendonly: false })]);
  const shape: typeof instanceShape = Object.assign({}, workspaceService.shape, instanceShape);
  const config: InstanceConfig = loadConfig(shape, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_LOG_LEVEL: "silent",
    CARREL_SETTING_OllamaLLMBasePath: "http://127.0.0.1:9",
  });
  shared = createSharedInfrastructure(config);
  running = await Promise.all(
    [0, 1].map(() =>
      startService(workspaceService, config, { shared, healthPort: false, reconcileMs: 200 }),
    ),
  );
  sql = await new DataSource({ type: "postgres", url: database.url }).initialize();
});
afterAll(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await sql.destroy();
  await shared.close();
  await Promise.all([database.drop(), redis.stop()]);
  rmSync(home, { recursive: true, force: true });
});

const request: SharedInfrastructure["messaging"]["client"]["request"] = (
  operation,
  input,
  options,
) => shared.messaging.client.request(operation, input, options);

describe("workspaces", () => {
  it("are created once per idempotency key, and a taken name gets a number", async () => {
    const idempotencyKey = randomUUID();
    const made = await Promise.all(
      [0, 1].map(() => request(createWorkspace, { name: "Papers" }, { scope, idempotencyKey })),
    );
    expect(made[0]).toEqual(made[1]);
    const second = await request(createWorkspace, { name: "Papers" }, { scope });
    expect(second.workspace?.slug).toMatch(/^papers-\d{8}$/);
    expect(
      (await request(listWorkspaces, {}, { scope })).workspaces.map((each) => each.name),
    ).toEqual(["Papers", "Papers"]);
  });

  it("are visible to their members and admins, and unknown to everyone else", async () => {
    await request(createWorkspace, { name: "Mine" }, { scope: person(7, "manager") });
    expect(
      (await request(listWorkspaces, {}, { scope: person(7) })).workspaces.map((each) => each.slug),
    ).toEqual(["mine"]);
    expect((await request(listWorkspaces, {}, { scope: person(8) })).workspaces).toEqual([]);
    expect(
      (await request(resolveWorkspace, { slug: "mine" }, { scope })).scope.workspace?.slug,
    ).toBe("mine");
    for (const slug of ["mine", "nobody"])
      await expect(request(resolveWorkspace, { slug }, { scope: person(8) })).rejects.toMatchObject(
        { kind: "WORKSPACE_NOT_FOUND" },
      );
  });

  it("leave a tombstone, which is announced until chat and ingest have confirmed", async () => {
    const { workspace } = await request(createWorkspace, { name: "Short lived" }, { scope });
    const own: Scope = { ...scope, workspace: { id: workspace!.id, slug: workspace!.slug } };
    const told: unknown[] = [];
    const stop = shared.messaging.broadcast.on(`event:${workspaceDeleted.name}`, (payload) =>
      told.push(payload),
    );
    await listening(shared.messaging, workspaceDeleted);
    await request(deleteWorkspace, { slug: workspace!.slug }, { scope: own });
    await request(deleteWorkspace, { slug: workspace!.slug }, { scope: own });
    await expect(
      request(resolveWorkspace, { slug: "short-lived" }, { scope }),
    ).rejects.toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
    await expect(
      request(updateWorkspace, { slug: "short-lived", name: "Back" }, { scope: own }),
    ).rejects.toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
    expect(
      (await request(createWorkspace, { name: "Short lived" }, { scope })).workspace?.slug,
    ).toMatch(/^short-lived-\d{8}$/);
    // By broadcast after the commit, and reliably through the outbox.
    await waitFor(() => told.length >= 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(new Set(told.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ workspaceId: workspace!.id })]),
    );
    told.length = 0;

    // No confirmation for a while, so it is announced again.
    await sql.query(
      `UPDATE workspace.workspace SET deleted_at = now() - interval '2 minutes' WHERE id = $1`,
      [workspace!.id],
    );
    await waitFor(() => told.length >= 1);
    const rows = async (): Promise<number> =>
      Number(
        (
          await sql.query<{ n: string }[]>(
            `SELECT count(*) AS n FROM workspace.workspace WHERE id = $1`,
            [workspace!.id],
          )
        )[0]!.n,
      );
    await request(
      confirmWorkspaceDeleted,
      { workspaceId: workspace!.id, service: "chat" },
      { scope: service },
    );
    await request(
      confirmWorkspaceDeleted,
      { workspaceId: workspace!.id, service: "chat" },
      { scope: service },
    );
    expect(await rows()).toBe(1);
    await request(
      confirmWorkspaceDeleted,
      { workspaceId: workspace!.id, service: "ingest" },
      { scope: service },
    );
    expect(await rows()).toBe(0);
    stop();
  });

  it("are reported as missing only if there is no row, not even a tombstone", async () => {
    const { workspace: living } = await request(createWorkspace, { name: "Living" }, { scope });
    const { workspace: buried } = await request(createWorkspace, { name: "Buried" }, { scope });
    await request(
      deleteWorkspace,
      { slug: buried!.slug },
      { scope: { ...scope, workspace: { id: buried!.id, slug: buried!.slug } } },
    );
    expect(
      await request(
        findMissingWorkspaces,
        { ids: [living!.id, 900_001, buried!.id, 900_002] },
        { scope: service },
      ),
    ).toEqual({ ids: [900_001, 900_002] });
    await expect(request(findMissingWorkspaces, { ids: [1] }, { scope })).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
  });

  it("broadcast every change before the reply", async () => {
    const { workspace } = await request(createWorkspace, { name: "Changing" }, { scope });
    const own: Scope = { ...scope, workspace: { id: workspace!.id, slug: workspace!.slug } };
    let told = 0;
    const stops = [workspaceUpdated, settingsChanged].map((event) =>
      shared.messaging.broadcast.on(`event:${event.name}`, () => {
        told += 1;
      }),
    );
    for (const event of [workspaceUpdated, settingsChanged])
      await listening(shared.messaging, event);
    for (let round = 0; round < 50; round += 1) {
      const before = told;
      if (round % 2 === 0)
        await request(
          updateWorkspace,
          { slug: workspace!.slug, openAiPrompt: `Prompt ${round}` },
          { scope: own },
        );
      else
        await request(
          updateSettings,
          { values: { GenericOpenAiModelPref: `model-${round}` } },
          { scope },
        );
      expect(told).toBeGreaterThan(before);
    }
    for (const stop of stops) stop();
  });

  it("are not deleted by an unsolicited confirmation", async () => {
    const { workspace } = await request(createWorkspace, { name: "Alive" }, { scope });
    for (const name of ["chat", "ingest"] as const)
      await request(
        confirmWorkspaceDeleted,
        { workspaceId: workspace!.id, service: name },
        { scope: service },
      );
    expect(
      (await request(resolveWorkspace, { slug: "alive" }, { scope })).scope.workspace?.id,
    ).toBe(workspace!.id);
  });
});
