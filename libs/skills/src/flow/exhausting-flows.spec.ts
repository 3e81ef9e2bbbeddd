import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { flowSteps, type FlowStep } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { describeRequests, listRequests } from "./flow-reach.ts";
import {
  api,
  codeOf,
  page,
  portsWith,
  run,
  site,
  transform,
  useHostileSite,
} from "./hostile-flows.fixture.ts";
import type { FlowOptions } from "./run-flow.ts";

/* Flows and servers that try to use up what others need. */

useHostileSite();
/** More than a response may have. */
const zeros = Buffer.alloc(12_000_000);

const columns = (count: number, name = "x"): string =>
  Array.from({ length: count }, (_, n) => `,${name}${n}`).join("");

/** Time that this thread has computed: the same on a busy machine. */
function computeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

describe("a run that would take too much", () => {
  const loop = (steps: object[], list = JSON.stringify(Array(1_000).fill(1))) => ({
    type: "carrel-loop",
    config: { list, maxItems: 1_000, steps },
  });
  const call = (flowId: string): object => ({ type: "carrel-flow", config: { flowId } });
  const flowsOf = (flows: Record<string, object[]>): Partial<FlowOptions> => ({
    ports: portsWith({
      findFlow: (id) =>
        Promise.resolve(flows[id] ? { name: id, steps: flowSteps.parse(flows[id]) } : null),
    }),
  });

  it("ends: loops in loops", async () => {
    expect(await codeOf([loop([loop([transform("x")])])])).toBe("flow.too-many-rounds");
  });

  it("ends: flows that run each other", async () => {
    const flows = { a: [call("b")], b: [call("a")] };
    expect(await codeOf([call("a")], flowsOf(flows))).toBe("flow.nested-too-deep");
    const many = { a: [loop([call("b")])], b: [loop([transform("x")])] };
    expect(await codeOf([call("a")], flowsOf(many))).toBe("flow.too-many-rounds");
  });

  it("is described in short if its flows multiply", () => {
    const find = (id: string): readonly FlowStep[] =>
      flowSteps.parse([...Array.from({ length: 90 }, (_, n) => call(`${id}${n}.`)), api({})]);
    const before = computeMs();
    const { details } = describeRequests(listRequests(flowSteps.parse([call("a")]), {}, find));
    expect(computeMs() - before).toBeLessThan(5_000);
    expect(details.length).toBeLessThanOrEqual(5_000);
  });

  it("ends: variables that double, and texts that name one often", async () => {
    const double = { ...transform("${result}${result}") };
    const variables = { result: "x".repeat(1_000) };
    expect(await codeOf(Array<object>(20).fill(double), { variables })).toBe(
      "flow.variables-too-large",
    );
    const body = "${big}".repeat(16_000);
    const big = { variables: { big: "x".repeat(900_000) } };
    expect(await codeOf([api({ method: "POST", body, bodyType: "text" })], big)).toBe(
      "flow.block-failed",
    );
    expect(site.received).toEqual([]);
    const planned = listRequests(
      flowSteps.parse([api({ method: "POST", body, bodyType: "text" })]),
      { big: "x".repeat(20_000) },
      () => null,
    );
    expect(planned).toMatchObject([{ origin: null }]);
  });

  it("leaves time to others, and ends in time, while a single block computes", async () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => ({ a: `r${n % 9_777}` }));
    const operations = [
      ...Array<object>(10).fill({ kind: "sort", column: "a" }),
      { kind: "limit", count: 1 },
    ];
    const compute = (o: Partial<FlowOptions>) =>
      run([transform("${rows}", ...operations)], { variables: { rows }, ...o });
    // Both would come too late if nothing else had its turn before the block is done.
    const stop = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
      if (turns === 3) stop.abort(new Error("the third turn"));
    }, 5);
    await expect(compute({ signal: stop.signal })).rejects.toThrow("the third turn");
    clearInterval(timer);
    const { error } = await compute({ milliseconds: 100 });
    expect(error?.fault?.code).toBe("flow.timed-out");
  });

  it.each([
    ["ten megabytes", (response: ServerResponse) => response.end(Buffer.alloc(10_000_000, "x"))],
    [
      "a bomb of zeros",
      (response: ServerResponse) =>
        response.setHeader("content-encoding", "gzip").end(gzipSync(zeros)),
    ],
    [
      "a bomb in a bomb",
      (response: ServerResponse) =>
        response.setHeader("content-encoding", "gzip, gzip").end(gzipSync(gzipSync(zeros))),
    ],
    [
      "an endless text",
      (response: ServerResponse) => {
        const piece = Buffer.alloc(64_000, "x");
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", write);
        write();
      },
    ],
  ])("ends: a response of %s", async (_what, send) => {
    site.answer = (_, response) => void send(response);
    for (const step of [api({}), page({})]) {
      const { error } = await run([step]);
      expect(error?.fault).toMatchObject({ params: { reason: { code: "egress.page-too-large" } } });
    }
  });

  it("ends: a response that never does", async () => {
    site.answer = (_, response) => void response.write("[");
    expect(await codeOf([api({})], { milliseconds: 300 })).toBe("flow.timed-out");
  });

  it("keeps a response that is nested too deep as text", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    site.answer = (_, response) => void response.end(deep);
    const { error, variables } = await run([api({}), transform("${reply}")]);
    expect(error).toBeNull();
    expect(variables.reply).toBe(deep);
  });

  it("keeps giant names of fields within the limit", async () => {
    site.answer = (_, response) => void response.end(JSON.stringify({ ["k".repeat(600_000)]: 1 }));
    expect(await codeOf([api({}), transform("${reply}")])).toBe("flow.variables-too-large");
  });

  it.each([
    ["ancestors to choose from", `${"div ".repeat(200)}x`],
    ["many conditions", Array(300).fill("a").join(",")],
    ["a long text", "a,".repeat(100_000)],
    ["open brackets", "[".repeat(900)],
  ])("takes no time for a selector with %s", async (_what, querySelector) => {
    site.answer = (_, response) =>
      void response
        .writeHead(200, { "content-type": "text/html" })
        .end(`${"<div>".repeat(58)}${"<p>x</p>".repeat(50_000)}`);
    const before = computeMs();
    const step = page({ captureAs: "querySelector", querySelector: "${selector}" });
    expect(await codeOf([step], { variables: { selector: querySelector } })).toBe(
      "flow.block-failed",
    );
    expect(computeMs() - before).toBeLessThan(5_000);
  });

  it.each([
    [
      "short rows",
      `a${columns(499, "x".repeat(200))}\n${"x\n".repeat(5_000)}`,
      [{ kind: "csv" }],
      null,
    ],
    [
      "columns",
      `a${columns(20_000)}\n${"x\n".repeat(1_000)}`,
      [{ kind: "csv" }],
      "flow.block-failed",
    ],
    [
      "columns that rows lack",
      JSON.stringify(Array(100_000).fill(1)),
      Array(20).fill({
        kind: "columns",
        names: Array.from({ length: 100 }, (_, n) => `name-${n}`),
      }),
      "flow.variables-too-large",
    ],
    [
      "names that only one row has",
      JSON.stringify(Array.from({ length: 50_000 }, (_, n) => ({ [`c${n}`]: 1 }))),
      [{ kind: "format", as: "csv" }],
      "flow.block-failed",
    ],
  ])("takes little time for a table with many %s", async (_what, input, operations, code) => {
    const before = computeMs();
    const { error } = await run([transform("${input}", ...(operations as object[]))], {
      variables: { input },
    });
    expect(error?.fault?.code ?? null).toBe(code);
    expect(computeMs() - before).toBeLessThan(2_000);
  });

  it.each([
    ["blanks", " ".repeat(300_000), "markdown"],
    ["quotes", '"'.repeat(200_000), "csv"],
    ["references", "${".repeat(150_000), "markdown"],
  ])("takes no time for a table of %s", async (_what, text, as) => {
    const before = computeMs();
    const { error } = await run([transform("${rows}", { kind: "format", as })], {
      variables: { rows: [{ a: `x${text}y` }] },
    });
    expect(error).toBeNull();
    expect(computeMs() - before).toBeLessThan(2_000);
  });
});
