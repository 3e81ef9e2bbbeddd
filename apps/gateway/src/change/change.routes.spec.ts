import { localModelsChanged, type Scope } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { frameFor, VisibleWorkspaces } from "./change.routes.ts";

describe("VisibleWorkspaces", () => {
  it("makes one request for many frames, and another after being invalidated", async () => {
    let ids = [1];
    let asked = 0;
    const visible = new VisibleWorkspaces(() => {
      asked += 1;
      return Promise.resolve(ids);
    });
    expect(await Promise.all([1, 2, 1].map((id) => visible.has(id)))).toEqual([true, false, true]);
    ids = [2];
    expect(await visible.has(2)).toBe(false);
    visible.forget();
    expect(await visible.has(2)).toBe(true);
    expect(asked).toBe(2);
  });

  it("retries after a failure", async () => {
    let asked = 0;
    const visible = new VisibleWorkspaces(() =>
      (asked += 1) === 1 ? Promise.reject(new Error("unreachable")) : Promise.resolve([1]),
    );
    await expect(visible.has(1)).rejects.toThrow("unreachable");
    expect(await visible.has(1)).toBe(true);
  });
});

it("tells only admins that a model's download has ended", () => {
  const payload = { name: "Tiny", file: "tiny.gguf", outcome: "ready", inUse: true };
  const frameOf = (role: string) =>
    frameFor({ principal: { role, userId: 1 }, workspace: null } as unknown as Scope, {
      name: localModelsChanged.name,
      payload,
      position: "",
    });
  expect(frameOf("admin")).toEqual({ type: "local-models.changed", ...payload });
  expect([frameOf("manager"), frameOf("default")]).toEqual([null, null]);
});
