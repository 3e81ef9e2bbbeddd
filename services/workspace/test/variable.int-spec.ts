import { randomUUID } from "node:crypto";
import {
  createPreset,
  createVariable,
  deleteVariable,
  instancePrincipal,
  listVariables,
  resolvePromptParts,
  servicePrincipal,
  updateVariable,
  type WorkspaceWire,
} from "@carrel/contracts";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { instance } from "./workspace-instance.ts";
import {
  admin,
  anonymous,
  as,
  manager,
  member,
  stranger,
  startWorkspaceSuite,
} from "./workspace-suite.ts";

const { current, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;
const unique = (): string => randomUUID().slice(0, 8);

beforeEach(() => {
  workspace = current();
});

describe("prompt variables", () => {
  it("list built-in ones first, user variables only for users", async () => {
    const key = `k_${unique()}`;
    const { variable } = await request(
      createVariable,
      { key, value: "Acme", description: "The company" },
      as(admin),
    );
    expect(variable).toEqual({
      id: expect.any(Number),
      key,
      value: "Acme",
      description: "The company",
      type: "static",
      userId: 1,
    });
    const { variables } = await request(listVariables, {}, as(member));
    expect(variables.slice(0, 3).map((one) => one.key)).toEqual(["time", "date", "datetime"]);
    expect(variables).toContainEqual({
      key: "user.name",
      description: expect.any(String),
      type: "user",
      multiUserRequired: true,
    });
    expect(variables.at(-1)).toEqual(variable);
    expect(
      (await request(listVariables, {}, instance)).variables.map((one) => one.key),
    ).not.toContain("user.name");
  });

  it.each([
    ["", "x", "Key and value are required"],
    ["abc", " ", "Key and value are required"],
    [null, null, "Key and value are required"],
    ["ab", "x", "Key must be at least 3 characters"],
    ["a".repeat(256), "x", "Key must be at most 255 characters"],
    ["with space", "x", "Key must contain only letters, numbers and underscores"],
    ["ключ", "x", "Key must contain only letters, numbers and underscores"],
    ["time", "x", "A built-in variable has this key"],
    ["user.name", "x", "A built-in variable has this key"],
  ])("refuse key %j with value %j", async (key, value, message) => {
    await expect(request(createVariable, { key, value }, as(admin))).rejects.toMatchObject({
      message,
    });
  });

  it("have unique keys, store numbers as text and report missing ones as not found", async () => {
    const [first, second] = [`a_${unique()}`, `b_${unique()}`];
    const { variable } = await request(createVariable, { key: first, value: 42 }, as(admin));
    expect(variable.value).toBe("42");
    await request(createVariable, { key: second, value: "x" }, as(admin));
    const taken = { message: "System prompt variable with this key already exists" };
    await expect(
      request(createVariable, { key: first, value: "x" }, as(admin)),
    ).rejects.toMatchObject(taken);
    await expect(
      request(updateVariable, { id: variable.id!, key: second, value: "x" }, as(admin)),
    ).rejects.toMatchObject(taken);
    expect(
      (await request(updateVariable, { id: variable.id!, key: first, value: "y" }, as(admin)))
        .variable,
    ).toMatchObject({ id: variable.id, value: "y", description: null });
    await request(deleteVariable, { id: variable.id! }, as(admin));
    await expect(
      request(updateVariable, { id: variable.id!, key: first, value: "y" }, as(admin)),
    ).rejects.toMatchObject({ kind: "NOT_FOUND", message: "System prompt variable not found" });
    await expect(request(deleteVariable, { id: variable.id! }, as(admin))).rejects.toMatchObject({
      kind: "NOT_FOUND",
      message: "System prompt variable not found or could not be deleted",
    });
    // Redelivery of the same request creates only one.
    const [key, id] = [`c_${unique()}`, randomUUID()];
    const made = await Promise.all(
      [0, 1].map(() => request(createVariable, { key, value: "x" }, as(admin), id)),
    );
    expect(made[0]).toEqual(made[1]);
  });

  it.each([
    ["a manager", manager],
    ["a member", member],
    ["nobody", anonymous],
  ])("can't be set by %s", async (_name, principal) => {
    const refused = await Promise.allSettled([
      request(createVariable, { key: "not_mine", value: "x" }, as(principal)),
      request(updateVariable, { id: 1, key: "not_mine", value: "x" }, as(principal)),
      request(deleteVariable, { id: 1 }, as(principal)),
    ]);
    expect(refused).toMatchObject(
      [0, 1, 2].map(() => ({ status: "rejected", reason: { kind: "FORBIDDEN" } })),
    );
  });
});

describe("prompt parts", () => {
  it("include the caller's commands and variables, in the caller's locale and time zone", async () => {
    const [command, key] = [unique(), `v_${unique()}`];
    await request(createPreset, { command, prompt: "Explain it." }, as(member));
    await request(createVariable, { key, value: "Acme" }, as(admin));
    const parts = await request(
      resolvePromptParts,
      { timeZone: "Asia/Tokyo", locale: "de-DE" },
      within(member),
    );
    expect(parts.presets).toContainEqual({ command: `/${command}`, prompt: "Explain it." });
    const today = new Intl.DateTimeFormat("de-DE", {
      timeZone: "Asia/Tokyo",
      year: "numeric",
      month: "numeric",
      day: "numeric",
    }).format(new Date());
    expect(parts.variables).toMatchObject({
      [key]: "Acme",
      "user.name": "mia",
      "user.bio": "Likes birds.",
      "workspace.id": String(workspace.id),
      "workspace.name": workspace.name,
      date: today,
    });
    expect(
      (
        await request(
          resolvePromptParts,
          { timeZone: "Nowhere/At all", locale: "💥" },
          within(admin),
        )
      ).variables,
    ).toMatchObject({ "user.name": "ada", date: expect.stringContaining("20") });
    const alone = await request(resolvePromptParts, {}, within(instancePrincipal));
    expect(alone.variables).toMatchObject({ "user.name": "[User name]", "user.bio": "[User bio]" });
    expect(alone.presets.map((one) => one.command)).not.toContain(`/${command}`);
    expect((await request(resolvePromptParts, {}, within(servicePrincipal))).presets).toEqual([]);
    await expect(request(resolvePromptParts, {}, within(stranger))).rejects.toMatchObject({
      kind: "WORKSPACE_NOT_FOUND",
    });
  });
});
