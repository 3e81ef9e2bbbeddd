import {
  eventLogged,
  flowSteps,
  getFlow,
  importFlow,
  instancePrincipal,
  listFlowVersions,
  shareFlow,
  toggleFlow,
  type EventPayload,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";

const scope: Scope = { principal: instancePrincipal, workspace: null };
const unproven: Scope = {
  principal: { ...instancePrincipal, sessionId: "6c8f4a1e-58a4-4a5c-9d28-2d7c7c0d7f01" },
  workspace: null,
};
const id = "0b2c6bb4-1d0a-8c59-9a5e-5d2f0f3f6c10";
const missing = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c99";
const steps = flowSteps.parse([
  { type: "start", config: { variables: [{ name: "city", value: "Rome" }] } },
  { type: "apiCall", config: { url: "https://weather.example.com/${city}" } },
]);
const flow = { id, name: "Weather", description: "From a hub", steps };

describe("a flow from a hub", () => {
  let chat: ChatInstance;
  const logged: EventPayload<typeof eventLogged>[] = [];
  beforeAll(async () => {
    chat = await ChatInstance.start();
    chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
      logged.push(payload as EventPayload<typeof eventLogged>),
    );
    await chat.startReplica();
  });
  afterAll(() => chat?.stop());
  const take = (more: object = {}, as = scope) =>
    chat.request(importFlow, { ...flow, ...more }, as as never);
  const read = () => chat.request(getFlow, { id }, scope as never);

  it("arrives switched off and not shared, and only once", async () => {
    const unmade = { dryRun: true };
    expect(await take(unmade, unproven)).toEqual({
      state: "new",
      missingFlows: [],
      missingCredentials: [],
    });
    await expect(read()).rejects.toMatchObject({ code: "flow.not-found" });
    await expect(take({}, unproven)).rejects.toMatchObject({ code: "access.proof-due" });
    await take();
    expect(await read()).toMatchObject({ active: false, shared: false, version: 1, steps });
    expect(await take({}, unproven)).toMatchObject({ state: "same" });
    expect(await read()).toMatchObject({ version: 1 });
    await poll(() => logged.map(({ event, metadata }) => [event, metadata])).toEqual([
      ["flow_created", { id, name: "Weather", imported: true }],
    ]);
  });

  it("becomes a new version once its hub has another, and must be switched on again", async () => {
    await chat.request(toggleFlow, { id, active: true }, scope as never);
    await chat.request(shareFlow, { id, shared: true }, scope as never);
    const other = flowSteps.parse([
      { type: "carrel-flow", config: { flowId: missing } },
      { type: "llmInstruction", config: { instruction: "Use {{credential.weather}}" } },
    ]);
    expect(await take({ steps: other, dryRun: true })).toEqual({
      state: "changed",
      missingFlows: [missing],
      missingCredentials: ["weather"],
    });
    expect(await read()).toMatchObject({ active: true, shared: true, version: 1 });
    await take({ steps: other });
    expect(await read()).toMatchObject({ active: false, shared: false, version: 2, steps: other });
    const { versions } = await chat.request(listFlowVersions, { id }, scope as never);
    expect(versions).toHaveLength(2);
  });

  it("arrives without characters that a database can't keep", async () => {
    const other = "0b2c6bb4-1d0a-8c59-9a5e-5d2f0f3f6c11";
    const odd = flowSteps.parse([
      { type: "apiCall", config: { url: "https://x.example/\0\ud83d" } },
      { type: "carrel-flow", config: { flowId: "a\0b" } },
    ]);
    expect(await take({ id: other, steps: odd })).toMatchObject({ missingFlows: ["ab"] });
    expect(await chat.request(getFlow, { id: other }, scope as never)).toMatchObject({
      steps: [{ config: { url: "https://x.example/\ufffd" } }, { config: { flowId: "ab" } }],
    });
    expect(await take({ id: other, steps: odd, dryRun: true })).toMatchObject({ state: "same" });
  });

  it("is refused if it has more than a flow may have", async () => {
    const many = { steps: Array.from({ length: 100 }, () => steps[0]!) };
    await expect(
      take({
        steps: [...many.steps.slice(1), { type: "carrel-loop", config: { list: "[]", ...many } }],
      }),
    ).rejects.toMatchObject({ code: "flow.too-many-steps" });
  });

  it("arrives once if it is imported several times at once", async () => {
    const other = "0b2c6bb4-1d0a-8c59-9a5e-5d2f0f3f6c12";
    const states = await Promise.all(
      Array.from({ length: 8 }, async () => (await take({ id: other })).state),
    );
    expect(states.toSorted()).toEqual(["new", ...Array<string>(7).fill("same")]);
  });
});
