import { randomUUID } from "node:crypto";
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
  type Role,
  type Scope,
} from "@carrel/contracts";
import { listening, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  instance as scope,
  person as user,
  scopeOf,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const person = (userId: number, role: Role = "default"): Scope => scopeOf(user(userId, role));
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];

beforeAll(async () => {
  carrel = await startWorkspaceInstance({
    CARREL_SETTING_OllamaLLMBasePath: "http://127.0.0.1:9",
  });
  request = carrel.request;
});
afterAll(() => carrel.stop());

describe("workspaces", () => {
  it("are created once per idempotency key, and a taken name gets a number", async () => {
    const idempotencyKey = randomUUID();
    const made = await Promise.all(
      [0, 1].map(() => request(createWorkspace, { name: "Papers" }, scope, idempotencyKey)),
    );
    expect(made[0]).toEqual(made[1]);
    const second = await request(createWorkspace, { name: "Papers" }, scope);
    expect(second.workspace?.slug).toMatch(/^papers-\d{8}$/);
    expect((await request(listWorkspaces, {}, scope)).workspaces.map((each) => each.name)).toEqual([
      "Papers",
      "Papers",
    ]);
  });

  it("are visible to their members and admins, and unknown to everyone else", async () => {
    await request(createWorkspace, { name: "Mine" }, person(7, "manager"));
    expect(
      (await request(listWorkspaces, {}, person(7))).workspaces.map((each) => each.slug),
    ).toEqual(["mine"]);
    expect((await request(listWorkspaces, {}, person(8))).workspaces).toEqual([]);
    expect((await request(resolveWorkspace, { slug: "mine" }, scope)).scope.workspace?.slug).toBe(
      "mine",
    );
    for (const slug of ["mine", "nobody"])
      await expect(request(resolveWorkspace, { slug }, person(8))).rejects.toMatchObject({
        kind: "WORKSPACE_NOT_FOUND",
      });
  });

  it("leave a tombstone, which is announced until chat and ingest have confirmed", async () => {
    const { workspace } = await request(createWorkspace, { name: "Short lived" }, scope);
    const own: Scope = { ...scope, workspace: { id: workspace!.id, slug: workspace!.slug } };
    const received: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${workspaceDeleted.name}`, (payload) =>
      received.push(payload),
    );
    await listening(carrel.shared.messaging, workspaceDeleted);
    await request(deleteWorkspace, { slug: workspace!.slug }, own);
    await request(deleteWorkspace, { slug: workspace!.slug }, own);
    await expect(request(resolveWorkspace, { slug: "short-lived" }, scope)).rejects.toMatchObject({
      kind: "WORKSPACE_NOT_FOUND",
    });
    await expect(
      request(updateWorkspace, { slug: "short-lived", name: "Back" }, own),
    ).rejects.toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
    expect(
      (await request(createWorkspace, { name: "Short lived" }, scope)).workspace?.slug,
    ).toMatch(/^short-lived-\d{8}$/);
    // Changes arrive by broadcast after the commit, and reliably through the outbox.
    await waitFor(() => received.length >= 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(new Set(received.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ workspaceId: workspace!.id })]),
    );
    received.length = 0;

    // The deletion isn't confirmed for a while, so it is announced again.
    await carrel.sql.query(
      `UPDATE workspace.workspace SET deleted_at = now() - interval '2 minutes' WHERE id = $1`,
      [workspace!.id],
    );
    await waitFor(() => received.length >= 1);
    const rows = async (): Promise<number> =>
      Number(
        (
          await carrel.sql.query<{ n: string }[]>(
            `SELECT count(*) AS n FROM workspace.workspace WHERE id = $1`,
            [workspace!.id],
          )
        )[0]!.n,
      );
    await request(
      confirmWorkspaceDeleted,
      { workspaceId: workspace!.id, service: "chat" },
      service,
    );
    await request(
      confirmWorkspaceDeleted,
      { workspaceId: workspace!.id, service: "chat" },
      service,
    );
    expect(await rows()).toBe(1);
    await request(
      confirmWorkspaceDeleted,
      { workspaceId: workspace!.id, service: "ingest" },
      service,
    );
    expect(await rows()).toBe(0);
    stop();
  });

  it("are reported as missing only if there is no row, not even a tombstone", async () => {
    const { workspace: living } = await request(createWorkspace, { name: "Living" }, scope);
    const { workspace: buried } = await request(createWorkspace, { name: "Buried" }, scope);
    await request(
      deleteWorkspace,
      { slug: buried!.slug },
      { ...scope, workspace: { id: buried!.id, slug: buried!.slug } },
    );
    expect(
      await request(
        findMissingWorkspaces,
        { ids: [living!.id, 900_001, buried!.id, 900_002] },
        service,
      ),
    ).toEqual({ ids: [900_001, 900_002] });
    await expect(request(findMissingWorkspaces, { ids: [1] }, scope)).rejects.toMatchObject({
      kind: "FORBIDDEN",
    });
  });

  it("broadcast every change before the reply", async () => {
    const { workspace } = await request(createWorkspace, { name: "Changing" }, scope);
    const own: Scope = { ...scope, workspace: { id: workspace!.id, slug: workspace!.slug } };
    let received = 0;
    const stops = [workspaceUpdated, settingsChanged].map((event) =>
      carrel.shared.messaging.broadcast.on(`event:${event.name}`, () => {
        received += 1;
      }),
    );
    for (const event of [workspaceUpdated, settingsChanged])
      await listening(carrel.shared.messaging, event);
    for (let round = 0; round < 50; round += 1) {
      const before = received;
      if (round % 2 === 0)
        await request(
          updateWorkspace,
          { slug: workspace!.slug, openAiPrompt: `Prompt ${round}` },
          own,
        );
      else
        await request(
          updateSettings,
          { values: { GenericOpenAiModelPref: `model-${round}` } },
          scope,
        );
      expect(received).toBeGreaterThan(before);
    }
    for (const stop of stops) stop();
  });

  it("are not deleted by an unsolicited confirmation", async () => {
    const { workspace } = await request(createWorkspace, { name: "Alive" }, scope);
    for (const name of ["chat", "ingest"] as const)
      await request(
        confirmWorkspaceDeleted,
        { workspaceId: workspace!.id, service: name },
        service,
      );
    expect((await request(resolveWorkspace, { slug: "alive" }, scope)).scope.workspace?.id).toBe(
      workspace!.id,
    );
  });
});
