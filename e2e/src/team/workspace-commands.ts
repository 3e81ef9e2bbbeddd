import { expect, it } from "@jest/globals";
import { ask, type Api } from "../api.ts";

export const presets = "/system/slash-command-presets";
export const variables = "/system/prompt-variables";

const failed = (action: string): string => `Failed to ${action} system prompt variable:`;

/** Tests of slash commands and prompt variables; `team` is asked when a test runs. */
export function testCommands(team: () => { admin: Api; member: Api }): void {
  it("slash commands have the statuses and texts of the wire", async () => {
    const { admin, member } = team();
    const { preset } = (
      await member.call("POST", presets, {
        command: "Explain!",
        prompt: "Explain.",
        description: null,
      })
    ).json<{ preset: Record<string, unknown> }>();
    expect(preset).toEqual({
      id: expect.any(Number),
      command: "/explain-",
      prompt: "Explain.",
      description: "",
      uid: expect.any(Number),
      userId: expect.any(Number),
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
    });
    expect(await ask(member, "POST", presets, { command: "/explain-", prompt: "Other." })).toEqual([
      201,
      { preset },
    ]);
    for (const incomplete of [{}, { command: "mine" }, { prompt: "x" }])
      for (const path of [presets, `${presets}/${String(preset.id)}`])
        expect(await ask(member, "POST", path, incomplete)).toEqual([
          400,
          { message: expect.stringContaining("missing") },
        ]);
    const system = {
      message: "Cannot create a preset with a command that matches a system command",
    };
    for (const command of ["/reset", "IMG", "/exit"]) {
      expect(await ask(member, "POST", presets, { command, prompt: "x" })).toEqual([400, system]);
      expect(
        await ask(member, "POST", `${presets}/${preset.id}`, { command, prompt: "x" }),
      ).toEqual([400, system]);
    }
    const mine = `${presets}/${String(preset.id)}`;
    expect(await ask(admin, "POST", mine, { command: "theirs", prompt: "x" })).toEqual([
      404,
      { message: "Preset not found" },
    ]);
    expect(await ask(admin, "DELETE", mine)).toEqual([403, { message: "Failed to delete preset" }]);
    await member.call("POST", presets, { command: "second", prompt: "x" });
    expect(await ask(member, "POST", mine, { command: "second", prompt: "x" })).toEqual([
      422,
      { message: expect.any(String) },
    ]);
    expect(
      await ask(member, "POST", mine, { command: "third", prompt: "y", description: "z" }),
    ).toEqual([
      200,
      {
        preset: expect.objectContaining({
          id: preset.id,
          command: "/third",
          prompt: "y",
          description: "z",
        }),
      },
    ]);
    expect(await ask(member, "DELETE", mine)).toEqual([204, ""]);
    expect(await ask(member, "DELETE", mine)).toEqual([
      403,
      { message: "Failed to delete preset" },
    ]);
    for (const odd of ["0", "-1", "abc", "99999999999"])
      expect(await ask(member, "DELETE", `${presets}/${odd}`)).toEqual([
        400,
        { message: expect.any(String) },
      ]);
  });

  it("prompt variables do too", async () => {
    const { admin, member } = team();
    expect(await ask(admin, "POST", variables, { key: "company", value: "" })).toEqual([
      400,
      { success: false, error: "Key and value are required" },
    ]);
    const [status, body] = await ask(admin, "POST", variables, {
      key: "company",
      value: "Acme",
      description: "Who we are",
    });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        variable: {
          id: expect.any(Number),
          key: "company",
          value: "Acme",
          description: "Who we are",
          type: "static",
          userId: expect.any(Number),
        },
      },
    ]);
    const { id } = (body as { variable: { id: number } }).variable;
    expect(await ask(admin, "PUT", `${variables}/${id}`, { key: "ab", value: "Apex" })).toEqual([
      400,
      { success: false, error: `${failed("update")} Key must be at least 3 characters` },
    ]);
    expect(await ask(admin, "DELETE", `${variables}/abc`)).toEqual([
      400,
      { success: false, error: expect.any(String) },
    ]);
    expect(await ask(admin, "POST", variables, { key: "company", value: "Other" })).toEqual([
      400,
      {
        success: false,
        error: `${failed("create")} System prompt variable with this key already exists`,
      },
    ]);
    expect((await member.call("POST", variables, { key: "mine", value: "x" })).status).toBe(401);
    const { variables: listed } = await member.json<{ variables: Record<string, unknown>[] }>(
      "GET",
      variables,
    );
    expect(listed[0]).toEqual({
      key: "time",
      description: expect.any(String),
      type: "system",
      multiUserRequired: false,
    });
    expect(listed.at(-1)).toMatchObject({ id, key: "company", value: "Acme" });
    expect(
      await ask(admin, "PUT", `${variables}/${id}`, { key: "company", value: "Apex" }),
    ).toEqual([200, { success: true, variable: expect.objectContaining({ id, value: "Apex" }) }]);
    expect(await ask(admin, "DELETE", `${variables}/${id}`)).toEqual([200, { success: true }]);
    expect(
      await ask(admin, "PUT", `${variables}/${id}`, { key: "company", value: "Apex" }),
    ).toEqual([
      404,
      { success: false, error: `${failed("update")} System prompt variable not found` },
    ]);
    expect(await ask(admin, "DELETE", `${variables}/${id}`)).toEqual([
      404,
      { success: false, error: "System prompt variable not found or could not be deleted" },
    ]);
  });
}
