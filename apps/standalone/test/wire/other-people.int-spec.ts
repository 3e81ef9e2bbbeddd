import { request as httpRequest, type ClientRequest } from "node:http";
import {
  accessChanged,
  attachGeneration,
  brandingChanged,
  cancelGeneration,
  CarrelError,
  generationChanged,
  membersChanged,
  scheduleChanged,
  settingsChanged,
  threadsChanged,
  workspaceUpdated,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startFixtureGeneration } from "./fixture-services.ts";
import { people, startGatewayInstance, type GatewayInstance } from "./gateway-instance.ts";

let instance: GatewayInstance;

let hidden: GatewayInstance;

beforeAll(async () => {
  [instance, hidden] = await Promise.all([
    startGatewayInstance(),
    startGatewayInstance({ DISABLE_VIEW_CHAT_HISTORY: "true" }),
  ]);
});

afterAll(() => Promise.all([instance?.stop(), hidden?.stop()]));

describe("other people's generations", () => {
  it("look unknown: the caller is passed on, and the refusal is the same", async () => {
    const id = "0b7d2c7e-3c52-4b6a-9a53-0000000000aa";
    const unknown = (): never => {
      throw new CarrelError("generation.not-found");
    };
    instance.chat.answer(attachGeneration, unknown).answer(cancelGeneration, unknown);
    expect(
      (await instance.call("GET", `/api/generation/${id}/stream`, { bearer: "bela" })).status,
    ).toBe(404);
    expect(instance.chat.last(attachGeneration)!.context.scope).toMatchObject({
      principal: people.bela,
      workspace: null,
    });
    expect(
      (await instance.call("DELETE", `/api/generation/${id}`, { bearer: "bela" })).status,
    ).toBe(404);
    expect(instance.chat.last(cancelGeneration)!.context.scope.principal).toEqual(people.bela);
  });
});

interface Watching {
  frames: { type: string }[];
  ended: () => boolean;
  stop(): void;
}

async function watchAs(bearer: string, path = "/api/changes"): Promise<Watching> {
  const frames: { type: string }[] = [];
  let isOver = false;
  const sent = await new Promise<ClientRequest>((resolve, reject) => {
    const request = httpRequest(
      `${instance.url}${path}`,
      { headers: { authorization: `Bearer ${bearer}`, "x-carrel-stream": "1" }, agent: false },
      (response) => {
        response.setEncoding("utf8").on("data", (text: string) => {
          for (const line of text.split("\n"))
            if (line.startsWith("data: "))
              frames.push(JSON.parse(line.slice(6)) as { type: string });
        });
        response.on("close", () => {
          isOver = true;
        });
        resolve(request);
      },
    );
    request.on("error", reject);
    request.end();
  });
  return { frames, ended: () => isOver, stop: () => sent.destroy() };
}

describe("the change stream", () => {
  it("tells users only about their own data", async () => {
    const [anna, bela, manager, admin] = (await Promise.all(
      ["anna", "bela", "manager", "admin"].map((bearer) => watchAs(bearer)),
    )) as [Watching, Watching, Watching, Watching];
    const { broadcast } = instance.shared.messaging;
    const run = { threadId: 1, generationId: "g", state: "running" };
    await broadcast.publishEvent(workspaceUpdated, { workspaceId: 3 });
    await broadcast.publishEvent(generationChanged, { workspaceId: 3, ...run, userId: 3 });
    await broadcast.publishEvent(generationChanged, {
      workspaceId: 3,
      ...run,
      generationId: "foreign",
      userId: 2,
    });
    // Events without an owner: the thread has none, or the replica doesn't send one.
    for (const owner of [{ userId: null }, {}])
      await broadcast.publish(`event:${generationChanged.name}`, {
        workspaceId: 3,
        ...run,
        generationId: "ownerless",
        ...owner,
      });
    const made = { workspaceId: 3, change: "created" as const, slugs: ["new"] };
    await broadcast.publishEvent(threadsChanged, { ...made, userId: 3 });
    await broadcast.publishEvent(threadsChanged, { ...made, slugs: ["foreign"], userId: 5 });
    const scheduleId = "5c4ed01e-0000-4000-8000-000000000001";
    await broadcast.publishEvent(scheduleChanged, { scheduleId, userId: 3 });
    await broadcast.publishEvent(membersChanged, { workspaceId: 3, userIds: [3, 5] });
    await broadcast.publishEvent(settingsChanged, { keys: ["LLMProvider"] });
    await broadcast.publishEvent(brandingChanged, {});
    for (const one of [anna, bela, manager, admin])
      await poll(() => one.frames.at(-1)).toEqual({ type: "branding.changed" });
    expect(anna.frames).toEqual([
      { type: "workspace.updated", workspaceId: 3 },
      { type: "generation.changed", workspaceId: 3, ...run },
      { type: "threads.changed", ...made },
      { type: "schedule.changed", scheduleId },
      { type: "workspace-members.changed" },
      { type: "branding.changed" },
    ]);
    expect(bela.frames).toEqual([{ type: "branding.changed" }]);
    expect(manager.frames).toEqual([
      { type: "workspace.updated", workspaceId: 3 },
      { type: "generation.changed", workspaceId: 3, ...run, generationId: "foreign" },
      { type: "workspace-members.changed" },
      { type: "branding.changed" },
    ]);
    expect(admin.frames.map(({ type }) => type)).toEqual([
      "workspace.updated",
      "schedule.changed",
      "workspace-members.changed",
      "settings.changed",
      "branding.changed",
    ]);

    await broadcast.publishEvent(accessChanged, { userId: 3 });
    await poll(() => anna.ended()).toBe(true);
    expect(anna.frames.at(-1)).toEqual({ type: "access.changed" });
    expect([bela.ended(), admin.ended()]).toEqual([false, false]);
    await broadcast.publishEvent(accessChanged, {});
    for (const one of [bela, manager, admin]) await poll(() => one.ended()).toBe(true);
    expect(bela.frames.at(-1)).toEqual({ type: "access.changed" });
    for (const one of [anna, bela, manager, admin]) one.stop();
  });
});

describe("a running answer", () => {
  it("continues as long as its session, whatever else changes, and ends with it without being cancelled", async () => {
    const generation = await startFixtureGeneration(
      instance.shared.messaging.streams,
      instance.chat,
    );
    const [anna, bela] = (await Promise.all(
      ["anna", "bela"].map((bearer) => watchAs(bearer, `/api/generation/${generation.id}/stream`)),
    )) as [Watching, Watching];
    const piece = (textResponse: string): object => ({
      uuid: generation.id,
      type: "textResponseChunk",
      textResponse,
      sources: [],
      close: false,
      error: false,
    });
    await generation.write(piece("one"));
    for (const one of [anna, bela]) await poll(() => one.frames).toHaveLength(1);
    const { broadcast } = instance.shared.messaging;
    await broadcast.publishEvent(accessChanged, { userId: 3 });
    await generation.write(piece("two"));
    for (const one of [anna, bela]) await poll(() => one.frames).toHaveLength(2);
    instance.principals.delete("anna");
    await broadcast.publishEvent(accessChanged, { userId: 3 });
    await poll(() => anna.ended()).toBe(true);
    expect([bela.ended(), generation.cancelled()]).toEqual([false, false]);
    await generation.end();
    await poll(() => bela.ended()).toBe(true);
    instance.principals.set("anna", people.anna!);
  });
});
