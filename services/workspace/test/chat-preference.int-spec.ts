import {
  getSettings,
  resolveSettings,
  settingsChanged,
  sharingLabel,
  threadModelsLabel,
  threadTitlesLabel,
  updatePreferences,
  type Scope,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  person,
  scopeOf,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const [admin, manager] = [scopeOf(person(1, "admin")), scopeOf(person(2, "manager"))];
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
const write = (preferences: Record<string, unknown>, scope: Scope = admin): Promise<unknown> =>
  request(updatePreferences, { preferences }, scope);

beforeAll(async () => {
  carrel = await startWorkspaceInstance();
  request = carrel.request;
});
afterAll(() => carrel.stop());

describe("a preference that chat reads", () => {
  it("for memories reaches chat with the settings and pages with the setup", async () => {
    const setup = async (): Promise<unknown> => {
      const { MemoryEnabled, MemoryAutoExtraction } = (await request(getSettings, {}, service))
        .settings;
      return { MemoryEnabled, MemoryAutoExtraction };
    };
    expect(await setup()).toEqual({ MemoryEnabled: false, MemoryAutoExtraction: true });
    const heard: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${settingsChanged.name}`, (payload) =>
      heard.push(payload),
    );
    await write({ memory_enabled: "true", memory_auto_extraction: "false" });
    expect((await request(resolveSettings, {}, service)).values).toMatchObject({
      memory_enabled: "true",
      memory_auto_extraction: "false",
    });
    expect(await setup()).toEqual({ MemoryEnabled: true, MemoryAutoExtraction: false });
    await waitFor(() =>
      JSON.stringify(heard).includes('["memory_enabled","memory_auto_extraction"]'),
    );
    stop();
  });

  it("for titles reaches chat with the settings and pages with the setup", async () => {
    const setup = async (): Promise<unknown> =>
      (await request(getSettings, {}, service)).settings.ThreadTitlesByModel;
    expect(await setup()).toBe(false);
    const heard: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${settingsChanged.name}`, (payload) =>
      heard.push(payload),
    );
    await write({ [threadTitlesLabel]: "true" });
    expect((await request(resolveSettings, {}, service)).values).toMatchObject({
      [threadTitlesLabel]: "true",
    });
    expect(await setup()).toBe(true);
    await waitFor(() => JSON.stringify(heard).includes(threadTitlesLabel));
    stop();
  });

  it("for models of threads reaches chat with the settings and pages with the setup", async () => {
    const setup = async (): Promise<unknown> =>
      (await request(getSettings, {}, service)).settings.ThreadModelsByEveryone;
    expect(await setup()).toBe(false);
    await write({ [threadModelsLabel]: "true" });
    expect((await request(resolveSettings, {}, service)).values).toMatchObject({
      [threadModelsLabel]: "true",
    });
    expect(await setup()).toBe(true);
    await write({ [threadModelsLabel]: "false" }, manager);
    expect(await setup()).toBe(true);
  });

  it("for sharing reaches chat with the settings, and takes only its three values", async () => {
    const setup = async (): Promise<unknown> =>
      (await request(getSettings, {}, service)).settings.ThreadSharing;
    expect(await setup()).toBe("anyone");
    await write({ [sharingLabel]: "team" });
    expect((await request(resolveSettings, {}, service)).values).toMatchObject({
      [sharingLabel]: "team",
    });
    await write({ [sharingLabel]: "everyone" });
    expect(await setup()).toBe("team");
    await write({ [sharingLabel]: "off" }, manager);
    expect(await setup()).toBe("team");
  });
});
