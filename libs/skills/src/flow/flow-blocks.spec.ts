import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { flowSteps, type FlowStep, type Passage } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { closeCodeInterpreter } from "../code-interpreter/run-code.ts";
import type { FlowPorts, FlowRequest } from "./block.ts";
import { FlowSecrets } from "./flow-secrets.ts";
import { noCredentials } from "./no-credentials.fixture.ts";
import { runFlow, type FlowOptions } from "./run-flow.ts";
import { SourceNumbers } from "./source-numbers.ts";

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
let received: Received[] = [];
let reply = { status: 200, type: "application/json", body: "{}", location: "" };
const server = createServer((request, response) => {
  void (async () => {
    let body = "";
    for await (const piece of request) body += String(piece);
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body });
    response
      .writeHead(reply.status, {
        "content-type": reply.type,
        ...(reply.location !== "" && { location: reply.location }),
      })
      .end(reply.body);
  })();
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address = `http://site.test:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await closeCodeInterpreter();
  await new Promise((done) => server.close(done));
});

let asked: { system: string; text: string }[] = [];
let admitted: FlowRequest[] = [];
beforeEach(() => {
  received = [];
  asked = [];
  admitted = [];
  reply = { status: 200, type: "application/json", body: "{}", location: "" };
});
const ports: FlowPorts = {
  content: createContentClient({
    allow: ["site.test"],
    resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
  }),
  model: {
    contextWindow: 8_000,
    ask: ({ system, text }) => {
      asked.push({ system, text });
      return Promise.resolve(" Sunny. ");
    },
  },
  search: {
    search: ({ query, limit }) =>
      Promise.resolve([
        { title: "Tides", page: 2, headingPath: ["High"], text: `${query} ${limit}`, url: "u" },
      ] as unknown as Passage[]),
  },
  approve: () => Promise.resolve(true),
  admit: (request) => {
    admitted.push(request);
    return Promise.resolve(true);
  },
  secrets: new FlowSecrets(noCredentials),
  findFlow: () => Promise.resolve(null),
};
const run = (steps: unknown[], more: Partial<FlowOptions> = {}) =>
  runFlow({
    flowId: null,
    steps: flowSteps.parse(steps),
    inputs: {},
    ports,
    signal: new AbortController().signal,
    ...more,
  });
const start = (variables: Record<string, string>) => ({
  type: "start",
  config: { variables: Object.entries(variables).map(([name, value]) => ({ name, value })) },
});
const api = (config: object) => ({
  type: "apiCall",
  config: { url: address, responseVariable: "reply", ...config },
});
const page = (config: object) => ({
  type: "webScraping",
  config: { url: `${address}/page`, resultVariable: "page", ...config },
});

describe("an API call", () => {
  it("sends what its texts and variables say, and returns JSON", async () => {
    reply.body = '{"max":31}';
    const { variables, error } = await run([
      start({ city: "Rome", key: "k1" }),
      api({
        url: `${address}/weather/\${city}`,
        headers: [{ key: "X-Key", value: "${key}" }],
      }),
    ]);
    expect(error).toBeNull();
    expect(variables.reply).toEqual({ max: 31 });
    expect(received).toMatchObject([
      { method: "GET", url: "/weather/Rome", headers: { "x-key": "k1" }, body: "" },
    ]);
    expect(admitted).toMatchObject([{ title: "API call", method: "GET" }]);
  });

  it.each([
    ["json", { body: '{"name":"${name}"}' }, '{"name":"A \\"b\\" & c"}', "application/json"],
    ["json", { body: '{"n": ${count}}' }, '{"n": 3}', "application/json"],
    ["text", { body: "Hi ${name}" }, 'Hi A "b" & c', "text/plain"],
    [
      "form",
      { formData: [{ key: "n", value: "${name}" }] },
      "n=A+%22b%22+%26+c",
      "application/x-www-form-urlencoded",
    ],
  ])("sends a body as %s: %j", async (bodyType, config, body, type) => {
    for (const method of ["POST", "PUT", "PATCH"])
      await run([start({ name: 'A "b" & c', count: "3" }), api({ method, bodyType, ...config })]);
    expect(received).toMatchObject(
      ["POST", "PUT", "PATCH"].map((method) => ({
        method,
        body,
        headers: { "content-type": type },
      })),
    );
    await run([api({ method: "DELETE", body: "x" })]);
    expect(received.at(-1)).toMatchObject({ method: "DELETE", body: "" });
  });

  it("fails with the block's title, and what the server says", async () => {
    reply = { ...reply, status: 403, body: '{"error":"no key"}' };
    const { error, output, steps } = await run([{ ...api({}), title: "Get weather" }]);
    expect(output).toBeNull();
    expect(error!.message).toBe(
      'Get weather failed: site.test answered with status 403: {"error":"no key"}',
    );
    expect(steps).toMatchObject([
      { state: "failed", title: "Get weather", fault: { code: "flow.block-failed" } },
    ]);
  });

  it.each([
    ["file:///etc/passwd", "flow.address-invalid"],
    ["${nobody}", "flow.address-invalid"],
    ["https://${nobody}/", "flow.address-invalid"],
    ["", "flow.address-invalid"],
    ["http://10.0.0.1/", "flow.block-failed"],
  ])("refuses the address %j", async (url, code) => {
    const refusing = { ...ports, content: createContentClient() };
    expect((await run([api({ url })], { ports: refusing })).error?.fault?.code).toBe(code);
  });

  it("refuses headers that would smuggle others", async () => {
    const { error } = await run([
      start({ v: "a\r\nx-evil: 1" }),
      api({ headers: [{ key: "x-a", value: "${v}" }] }),
    ]);
    expect(error?.fault?.code).toBe("flow.block-failed");
    expect(received).toEqual([]);
  });

  it("isn't made if it isn't admitted", async () => {
    const { error, steps } = await run([api({})], {
      ports: { ...ports, admit: () => Promise.resolve(false) },
    });
    expect(error?.fault).toEqual({ code: "flow.denied", params: { block: "API call" } });
    expect(steps[0]!.state).toBe("denied");
    expect(received).toEqual([]);
  });

  it("doesn't pass a body on to another server", async () => {
    reply = { ...reply, status: 307, location: "http://other.test/" };
    const { error } = await run([api({ method: "POST", body: "secret", bodyType: "text" })]);
    expect(error!.message).toContain("answered with status 307");
    expect(received).toHaveLength(1);
  });
});

describe("web scraping", () => {
  beforeEach(() => {
    reply = {
      ...reply,
      type: "text/html",
      body: '<title>T</title><main><h1>Tides</h1><ul class="x list"><li>Ebb</li><li id="f">Flood</li></ul></main>',
    };
  });

  it.each([
    [{ captureAs: "text" }, "# Tides\n\n- Ebb\n- Flood"],
    [{ captureAs: "querySelector", querySelector: "ul.list > li" }, "Ebb\nFlood"],
    [{ captureAs: "querySelector", querySelector: "#f, h1" }, "Tides\nFlood"],
    [{ captureAs: "querySelector", querySelector: "main [id^='f']" }, "Flood"],
  ])("captures %j", async (config, text) => {
    expect((await run([page(config)])).variables.page).toBe(text);
  });

  it("captures HTML as it is", async () => {
    expect((await run([page({ captureAs: "html" })])).variables.page).toBe(reply.body);
  });

  it.each(["ul.none", "li:hover", "li >", ""])("fails for the selector %j", async (selector) => {
    const { error } = await run([page({ captureAs: "querySelector", querySelector: selector })]);
    expect(error?.fault?.code).toBe("flow.block-failed");
  });

  it("summarizes what doesn't fit into the model's window", async () => {
    reply.body = `<main>${"<p>High water comes at four o'clock.</p>".repeat(1_000)}</main>`;
    expect((await run([page({})])).variables.page).toContain("Sunny.");
    expect(asked.length).toBeGreaterThan(1);
    asked = [];
    const whole = await run([page({ enableSummarization: false })]);
    expect(String(whole.variables.page).length).toBeGreaterThan(30_000);
    expect(asked).toEqual([]);
  });
});

describe("other blocks", () => {
  const valueOf = async (step: object, variables: Record<string, string> = {}) => {
    const { variables: after, error } = await run([start(variables), step]);
    if (error !== null) throw error;
    return after.result;
  };
  const block = (type: FlowStep["type"], config: object) => ({
    type,
    config: { resultVariable: "result", ...config },
  });

  it("ask the model, with the instruction alone", async () => {
    const step = block("llmInstruction", { instruction: "Sum up ${text}" });
    expect(await valueOf(step, { text: "the day" })).toBe("Sunny.");
    expect(asked).toMatchObject([{ text: "Sum up the day" }]);
  });

  it("search the workspace", async () => {
    expect(
      await valueOf(block("carrel-search", { query: "${q}", limit: 3 }), { q: "ebb" }),
    ).toEqual([{ title: "Tides", page: 2, heading: "High", text: "ebb 3", url: "u" }]);
  });

  it("number what searches find in a run that is recorded, for instructions to cite", async () => {
    const search = (resultVariable: string) =>
      block("carrel-search", { query: "ebb", limit: 1, resultVariable });
    const steps = [
      block("llmInstruction", { instruction: "Before" }),
      search("one"),
      search("two"),
      block("llmInstruction", { instruction: "${one} ${two}" }),
    ];
    const { variables } = await run(steps, {
      ports: { ...ports, sources: new SourceNumbers() },
    });
    expect([variables.one, variables.two]).toMatchObject([[{ number: 1 }], [{ number: 2 }]]);
    expect(asked.map(({ system }) => system.includes("such as [2]"))).toEqual([false, true]);
    asked = [];
    await run(steps.slice(1));
    expect(asked.map(({ system }) => system.includes("such as [2]"))).toEqual([false]);
  });

  it.each([
    ["variables.list.length + 1", 3],
    ["return JSON.parse(variables.text).a", 7],
    ["const f = async () => ({ n: 1 }); await f()", { n: 1 }],
    ["print('shown')", "shown"],
  ])("run code: %s", async (code, expected) => {
    const { variables } = await run([block("carrel-code", { code })], {
      variables: { list: [1, 2], text: '{"a":7}' },
    });
    expect(variables.result).toEqual(typeof expected === "number" ? String(expected) : expected);
  });

  it("say what is wrong with code", async () => {
    await expect(valueOf(block("carrel-code", { code: "variables.none.x" }))).rejects.toThrow(
      /^Code failed: TypeError/,
    );
  });

  it("read CSV", async () => {
    const read = (input: string, more: object = {}) =>
      valueOf(block("carrel-transform", { input, operations: [{ kind: "csv", ...more }] }));
    const rows = [
      { name: "Oslo", "unit price": '4 "net"' },
      { name: "Rome", "unit price": "5,5" },
    ];
    const comma = '\ufeffname, unit price\r\nOslo,"4 ""net"""\r\n\r\nRome,"5,5"\r\n';
    expect(await read(comma)).toEqual(rows);
    expect(await read('name;unit price\nOslo;"4 ""net"""\nRome;5,5')).toEqual(rows);
    expect(await read("a,b\tc\n1,2\t3", { delimiter: "\t" })).toEqual([{ "a,b": "1,2", c: "3" }]);
    expect(await read("name,unit price\nOslo")).toEqual([{ name: "Oslo" }]);
    await expect(read('a,b\n"1,2')).rejects.toThrow("This isn't CSV");
  });

  it("transform lists", async () => {
    const input = JSON.stringify({
      rows: [
        { name: "b", price: "10", tag: "x|y" },
        { name: "a", price: "9", tag: 'q"r' },
        { name: "c", price: "1" },
      ],
    });
    const operations = [
      { kind: "pick", path: "rows" },
      { kind: "filter", column: "price", operator: "greater", value: "1" },
      { kind: "sort", column: "price", descending: true },
      { kind: "columns", names: ["name", "tag"] },
    ];
    const transform = (...more: object[]) =>
      valueOf(block("carrel-transform", { input, operations: [...operations, ...more] }));
    expect(await transform({ kind: "limit", count: 1 })).toEqual([{ name: "b", tag: "x|y" }]);
    expect(await transform({ kind: "format", as: "csv" })).toBe('name,tag\r\nb,x|y\r\na,"q""r"');
    expect(await transform({ kind: "format", as: "markdown" })).toBe(
      '| name | tag |\n| --- | --- |\n| b | x\\|y |\n| a | q"r |',
    );
    await expect(transform({ kind: "pick", path: "none" })).rejects.toThrow("nothing at none");
  });
});
