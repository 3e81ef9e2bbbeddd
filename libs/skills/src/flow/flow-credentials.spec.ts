import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { flowSteps } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FlowPorts, FlowRequest } from "./block.ts";
import { describeRequests, listRequests } from "./flow-reach.ts";
import { FlowSecrets, type CredentialStore } from "./flow-secrets.ts";
import { runFlow, type FlowOptions } from "./run-flow.ts";

const secret = `s3cr3t/"ü"&+value`;
interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
let received: Received[] = [];
let reply: (request: Received) => { status?: number; location?: string; body: string };
const server = createServer((request, response) => {
  void (async () => {
    let body = "";
    for await (const piece of request) body += String(piece);
    const { method = "", url = "", headers } = request;
    const seen = { method, url, headers, body };
    received.push(seen);
    const { status = 200, location, body: text } = reply(seen);
    response
      .writeHead(status, { "content-type": "application/json", ...(location && { location }) })
      .end(text);
  })();
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address = `http://site.test:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

let opened: { owner: unknown; names: readonly string[] }[] = [];
let used: string[] = [];
let admitted: FlowRequest[] = [];
let asked: string[] = [];
beforeEach(() => {
  [received, opened, used, admitted, asked] = [[], [], [], [], []];
  reply = () => ({ body: '{"ok":true}' });
});
const plain = "plain-token-1";
const stored: Record<string, { id: string; hosts: string[]; value: string | null }> = {
  KEY: { id: "1", hosts: ["site.test"], value: secret },
  TOKEN: { id: "2", hosts: ["site.test", "public.test"], value: plain },
  LINES: { id: "3", hosts: ["site.test"], value: "first-line\r\nx-evil: 1" },
  OTHER: { id: "4", hosts: ["other.test", "*.site.test"], value: "other-value" },
  LOST: { id: "5", hosts: ["site.test"], value: null },
};
const store: CredentialStore = {
  open: (owner, names) => {
    opened.push({ owner, names });
    return Promise.resolve(
      new Map(names.flatMap((name) => (name in stored ? [[name, stored[name]!] as const] : []))),
    );
  },
  noteUse: (ids) => {
    used.push(...ids);
    return Promise.resolve();
  },
};
const portsOf = (): FlowPorts => ({
  content: createContentClient({
    allow: ["site.test", "other.test"],
    resolve: (host) =>
      Promise.resolve([{ address: host === "public.test" ? "8.8.8.8" : "127.0.0.1", family: 4 }]),
  }),
  model: {
    contextWindow: 8_000,
    ask: ({ text }) => {
      asked.push(text);
      return Promise.resolve("Said.");
    },
  },
  search: null,
  secrets: new FlowSecrets(store),
  approve: () => Promise.resolve(true),
  admit: (request) => {
    admitted.push(request);
    return Promise.resolve(true);
  },
  findFlow: () => Promise.resolve(null),
});
const flowId = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";
const run = (steps: unknown[], more: Partial<FlowOptions> = {}) =>
  runFlow({
    flowId,
    steps: flowSteps.parse(steps),
    inputs: {},
    ports: portsOf(),
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
const post = (config: object) => api({ method: "POST", ...config });
const bearer = { headers: [{ key: "authorization", value: "Bearer {{credential.TOKEN}}" }] };

describe("credentials in API calls", () => {
  it("are inserted into headers", async () => {
    const { error } = await run([start({ a: "1" }), api({ url: `${address}/\${a}`, ...bearer })]);
    expect(error).toBeNull();
    expect(received).toMatchObject([{ url: "/1", headers: { authorization: `Bearer ${plain}` } }]);
    expect(opened).toEqual([{ owner: { kind: "flow", id: flowId }, names: ["TOKEN"] }]);
    expect(used).toEqual(["2"]);
  });

  it.each([
    ["json", '{"a":[{"b":"x {{credential.KEY}}"}]}', JSON.stringify({ a: [{ b: `x ${secret}` }] })],
    ["json", '{"n": ${n}, "k": "{{credential.KEY}}"}', `{"n": 3, "k": ${JSON.stringify(secret)}}`],
    ["text", "k={{credential.KEY}}", `k=${secret}`],
  ])("are inserted into a body as %s: %s", async (bodyType, body, expected) => {
    expect((await run([start({ n: "3" }), post({ bodyType, body })])).error).toBeNull();
    expect(received[0]!.body).toBe(expected);
  });

  it("are inserted into form fields, and into the path and query of an address", async () => {
    const formData = [{ key: "{{credential.KEY}}", value: "{{credential.KEY}}" }];
    const url = `${address}/bot{{credential.KEY}}/?k={{credential.KEY}}&t=\${t}`;
    const { error } = await run([start({ t: "a" }), post({ url, bodyType: "form", formData })]);
    expect(error).toBeNull();
    const sent = new URL(received[0]!.url, address);
    expect(decodeURIComponent(sent.pathname)).toBe(`/bot${secret}/`);
    expect([...sent.searchParams]).toEqual([
      ["k", secret],
      ["t", "a"],
    ]);
    expect([...new URLSearchParams(received[0]!.body)]).toEqual([["{{credential.KEY}}", secret]]);
    expect(admitted[0]!.url.href).not.toContain(encodeURIComponent(secret));
  });

  it("can't be named by variables, also not in part", async () => {
    const text = "{{credential.KEY}}";
    const values = { text, name: "KEY", open: "{{credential." };
    const body = "${text} {{credential.${name}}} ${open}KEY}}";
    expect((await run([start(values), post({ bodyType: "text", body })])).error).toBeNull();
    expect(received[0]!.body).toBe(`${text} ${text} ${text}`);
    await run([
      start(values),
      post({ body: '{"a":"${text}","${text}":1}', headers: [{ key: "x-a", value: "${text}" }] }),
    ]);
    expect(received[1]!.body).toBe(JSON.stringify({ a: text, [text]: 1 }));
    expect(received[1]!.headers["x-a"]).toBe(text);
    expect(used).toEqual([]);
  });

  it("can't be read by other blocks", async () => {
    const input = "{{credential.TOKEN}}";
    const { variables, error } = await run([
      api(bearer),
      { type: "llmInstruction", config: { instruction: input, resultVariable: "said" } },
      { type: "carrel-transform", config: { input, resultVariable: "copy" } },
    ]);
    expect(error).toBeNull();
    expect(asked).toEqual([input]);
    expect(variables.copy).toBe(input);
  });

  it("are of the flow that the block is in", async () => {
    const inner = flowSteps.parse([api(bearer)]);
    const other = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c11";
    await run([{ type: "carrel-flow", config: { flowId: other } }], {
      ports: { ...portsOf(), findFlow: () => Promise.resolve({ name: "Inner", steps: inner }) },
    });
    expect(opened).toEqual([{ owner: { kind: "flow", id: other }, names: ["TOKEN"] }]);
  });

  it("are shown by their names before a run", () => {
    const steps = flowSteps.parse([post({ ...bearer, body: '{"k":"{{credential.KEY}}"}' })]);
    const [detail] = describeRequests(listRequests(steps, {}, () => null, "shown")).details;
    expect(detail!.value).toContain("authorization: Bearer {{credential.TOKEN}}");
    expect(detail!.value).toContain('{"k":"{{credential.KEY}}"}');
  });
});

describe("a credential isn't sent", () => {
  it.each([
    ["if it doesn't exist", { headers: [{ key: "k", value: "{{credential.NONE}}" }] }, "missing"],
    ["to another host", { headers: [{ key: "k", value: "{{credential.OTHER}}" }] }, "host-refused"],
    [
      "if it can't be read",
      { headers: [{ key: "k", value: "{{credential.LOST}}" }] },
      "unreadable",
    ],
    [
      "with a Host header for another host",
      { headers: [{ key: "Host", value: "other.test" }, ...bearer.headers] },
      "host-header",
    ],
    ["before the path", { url: "http://{{credential.TOKEN}}@site.test/" }, "misplaced"],
  ])("%s", async (_why, config, code) => {
    const { error } = await run([{ ...api(config), title: "Get it" }]);
    expect(error?.fault).toMatchObject({
      code: "flow.block-failed",
      params: { block: "Get it", reason: { code: `credential.${code}` } },
    });
    expect(error!.message).toMatch(/^Get it failed: /);
    expect(received).toEqual([]);
  });

  it.each(["http://{{credential.TOKEN}}/", "http://{{credential.TOKEN}}.site.test/", "${host}"])(
    "as the host of %s",
    async (address) => {
      const { error } = await run([
        start({ host: "https://evil.test/?k={{credential.TOKEN}}" }),
        api({ url: address, ...bearer }),
      ]);
      expect(error?.fault?.code).toMatch(/^flow\.(address-invalid|block-failed)$/);
      expect(JSON.stringify(error?.fault)).not.toContain(plain);
      expect(received).toEqual([]);
    },
  );

  it("without https on the public internet", async () => {
    const { error } = await run([api({ ...bearer, url: "http://public.test/" })]);
    expect(error!.message).toBe(
      "API call failed: Credentials are only sent to public.test with https.",
    );
  });

  it("as a header that would smuggle others, and no error shows it", async () => {
    const { error } = await run([api({ headers: [{ key: "k", value: "{{credential.LINES}}" }] })]);
    expect(error!.message).toBe(
      "API call failed: The value of the header k has characters that can't be sent.",
    );
    expect(received).toEqual([]);
  });

  it.each([302, 307])("with a redirect to another host: %s", async (status) => {
    reply = () => ({ status, location: "http://other.test/", body: "" });
    const { error } = await run([api(bearer)]);
    expect(error?.fault?.params).toMatchObject({
      reason: { code: "credential.redirected", params: { target: "other.test" } },
    });
    expect(received).toHaveLength(1);
    reply = ({ url }) => (url === "/" ? { status, location: "/there", body: "" } : { body: "{}" });
    expect((await run([api(bearer)])).error).toBeNull();
    expect(received.at(-1)).toMatchObject({
      url: "/there",
      headers: { authorization: `Bearer ${plain}` },
    });
  });
});

describe("a response that holds a credential", () => {
  const shapes: [string, (value: string) => string][] = [
    ["as it is", (value) => value],
    ["with escapes of URLs", encodeURIComponent],
    ["as a form", (value) => new URLSearchParams({ "": value }).toString().slice(1)],
    ["as base64", (value) => btoa(unescape(encodeURIComponent(value)))],
    ["in base64 of more", (value) => Buffer.from(`Bearer ${value}.`).toString("base64")],
    ["in base64url of more", (value) => Buffer.from(`a ${value}`).toString("base64url")],
    ["in hexadecimal", (value) => Buffer.from(value).toString("hex")],
    ["in JSON in a text", (value) => JSON.stringify({ value })],
  ];
  /** What is left of the value, however it was encoded. */
  const traces = (text: string): boolean =>
    [secret, "s3cr3t", Buffer.from("s3cr3t").toString("hex"), "czNjcjN0"].some((part) =>
      text.includes(part),
    );

  it.each(shapes)("loses it %s", async (_name, encode) => {
    for (const body of [
      JSON.stringify({ echo: [`<${encode(secret)}>`], [encode(secret)]: 1 }),
      `It was ${encode(secret)}!`,
    ]) {
      reply = () => ({ body });
      const { variables, output, steps, error } = await run([
        post({ body: '{"k":"{{credential.KEY}}"}' }),
        {
          type: "llmInstruction",
          config: { instruction: "Sum up ${reply}", resultVariable: "said" },
        },
      ]);
      expect(error).toBeNull();
      expect(traces(JSON.stringify([variables, output, steps, asked]))).toBe(false);
      expect(JSON.stringify(variables.reply)).toContain("•••");
    }
  });

  it("loses it in errors, at later blocks, and as a number", async () => {
    reply = () => ({ status: 403, body: `<p>${"x".repeat(270)} no ${plain} here</p>` });
    const { error } = await run([api(bearer)]);
    expect(error!.message).toContain("no ••• here");
    reply = ({ headers }) => ({ body: headers.authorization ? "{}" : `<p>Kept ${plain}</p>` });
    const { variables } = await run([
      api(bearer),
      api({ url: `${address}/later` }),
      {
        type: "webScraping",
        config: { url: address, captureAs: "html", resultVariable: "page" },
      },
    ]);
    expect(variables).toMatchObject({ reply: "<p>Kept •••</p>", page: "<p>Kept •••</p>" });
    stored.TOKEN!.value = "12345678";
    reply = () => ({ body: '{"pin":12345678,"n":1234}' });
    expect((await run([api(bearer)])).variables.reply).toEqual({ pin: "•••", n: 1234 });
    stored.TOKEN!.value = plain;
  });

  it("loses it also when a run starts after the block that sent it", async () => {
    reply = () => ({ body: plain });
    const { variables } = await run(
      [
        { ...api(bearer), id: "first" },
        { ...api({ url: `${address}/later` }), id: "second" },
      ],
      { from: "second" },
    );
    expect(variables.reply).toBe("•••");
  });
});
