import { performance } from "node:perf_hooks";
import { poll } from "@carrel/testing";
import { startChat } from "../../test/chat-suite.ts";
import { call, FlowRunClient, say, Site, start } from "./flow-run.fixture.ts";

const { chat, count, sql } = await startChat("Hello.");
chat.environment.CARREL_LINK_ALLOW = "127.0.0.1";
const flows = new FlowRunClient(chat);
const site = new Site();
beforeAll(() => site.start());
afterAll(() => site.stop());

const loop = (list: string, steps: object[]) => ({
  type: "carrel-loop",
  config: { list, itemVariable: "item", resultVariable: "all", maxItems: 1_000, steps },
});
const received = (path: string): string[] => site.received.filter((each) => each.includes(path));

describe("a replica that is killed", () => {
  const runs = { repeated: "", sent: "", unlucky: "" };

  beforeAll(async () => {
    // The one that is killed has them all.
    await chat.replicas.pop()!.stop();
    const killed = await chat.spawnReplica();
    site.hold();
    runs.repeated = await flows.run(
      await flows.create([
        start({ list: '["a","b"]' }),
        call("POST", `${site.url}/first`),
        loop("${list}", [call("PUT", `${site.url}/each-\${item}`), say("${item}")]),
        call("GET", `${site.url}/slow`),
        call("POST", `${site.url}/last`),
      ]),
    );
    runs.sent = await flows.run(
      await flows.create([{ ...call("POST", `${site.url}/slow-pay`), title: "Pay" }]),
    );
    runs.unlucky = await flows.run(await flows.create([call("GET", `${site.url}/slow-again`)]));
    await poll(() => received("/slow"), { timeoutMs: 60_000 }).toHaveLength(3);
    // As if five replicas had been lost with it before.
    await sql("UPDATE chat.flow_run SET lost = 5 WHERE id = $1", [runs.unlucky]);
    killed.kill("SIGKILL");
    await new Promise((resolve) => killed.once("close", resolve));
    // The leases that it held end within 10 seconds; these have passed.
    const held = "chat.flow_run WHERE lease_until < now() + interval '10 seconds'";
    expect(await count(held)).toBe(3);
    await sql(
      "UPDATE chat.flow_run SET lease_until = now() - interval '1 ms' WHERE lease IS NOT NULL",
    );
    await chat.startReplica();
  }, 180_000);

  it("is replaced at the block that was due", async () => {
    await poll(() => site.count("GET /slow")).toBe(2);
    site.release();
    const run = await flows.reach(runs.repeated, "done");
    expect(site.received.filter((each) => !/slow-/.test(each))).toEqual([
      "POST /first",
      "PUT /each-a",
      "PUT /each-b",
      "GET /slow",
      "GET /slow",
      "POST /last",
    ]);
    expect(run.blocks.every(({ state }) => state === "done")).toBe(true);
    expect(await count("chat.flow_run WHERE id = $1 AND lost = 1", [runs.repeated])).toBe(1);
  });

  it("never has what can't be repeated sent a second time", async () => {
    expect(await flows.reach(runs.sent, "failed")).toMatchObject({
      fault: { code: "flow.outcome-unknown", params: { block: "Pay" } },
      blocks: [{ path: "0", state: "unknown" }],
    });
    expect(received("/slow-pay")).toEqual(["POST /slow-pay"]);
  });

  it("ends a run that was interrupted too often, which says so", async () => {
    expect(await flows.reach(runs.unlucky, "failed")).toMatchObject({
      fault: { code: "flow.interrupted", params: { count: 6 } },
      blocks: [{ path: "0", state: "stopped" }],
      canContinue: true,
    });
    expect(received("/slow-again")).toEqual(["GET /slow-again"]);
  });
});

it("records a block in at most 10 ms", async () => {
  const rounds = 200;
  const list = JSON.stringify(Array.from({ length: rounds }, (_, n) => n));
  const transform = { type: "carrel-transform", config: { input: "${item}", operations: [] } };
  const flowId = await flows.create([start({ list }), loop("${list}", [transform])]);
  const startedAt = performance.now();
  const run = await flows.reach(await flows.run(flowId), "done", 60_000);
  const perBlock = (performance.now() - startedAt) / rounds;
  expect(run.blockCount).toBe(rounds + 2);
  console.info(`recording a block took ${perBlock.toFixed(2)} ms`);
  expect(perBlock).toBeLessThan(10);
});
