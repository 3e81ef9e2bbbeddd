import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { run } from "./plugin.fixture.ts";

/* What existing plugins use of Node and the web besides texts and plain requests. */

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    const body = Buffer.concat(pieces).toString();
    if (request.url === "/page")
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          "<head><title>T</title></head><p>Tides &amp; <b>winds</b><script>no()</script><p>2.4 m",
        );
    else if (request.url === "/lines") response.end('data: {"n":1}\n\ndata: {"n":"ü€"}\n\n');
    else if (request.url === "/moved") response.writeHead(302, { location: "/page" }).end();
    else
      response
        .writeHead(201, { "set-cookie": ["a=1", "b=2"] })
        .end(JSON.stringify({ method: request.method, headers: request.headers, body }));
  });
});
let host = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

type Given = Exclude<Parameters<typeof run>[0], string>;
async function returned(code: string, more: Partial<Given> = {}): Promise<unknown> {
  const { outcome } = await run({ code, hosts: [host], allow: ["127.0.0.1"], ...more });
  if (outcome.state !== "done") throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.text);
}
async function failed(code: string, more: Partial<Given> = {}): Promise<string> {
  const { outcome } = await run({ code, hosts: [host], allow: ["127.0.0.1"], ...more });
  return outcome.state === "failed" ? outcome.reason : outcome.state;
}

describe("plugins of existing installations", () => {
  it("may be ES modules, with imports of both kinds", async () => {
    const files = {
      "package.json": '{"type":"module"}',
      "lib/units.js": "export const unit = 'm'; export default (n) => `${n} ${unit}`;",
      "lib/old.cjs": "module.exports = { a: 1, 'b-c': 2, class: 3 };",
      "lib/names.json": '{"list":["x"]}',
      "node_modules/both/package.json": '{"exports":{"import":"./esm.mjs","require":"./cjs.cjs"}}',
      "node_modules/both/esm.mjs": "export { default as kind } from './kind.mjs';",
      "node_modules/both/kind.mjs": "export default 'esm';",
      "node_modules/both/cjs.cjs": "exports.kind = 'cjs';",
      "handler.js": `
        import { createHash } from "node:crypto";
        import inUnits, * as units from "./lib/units.js";
        import old, { a } from "./lib/old.cjs";
        import names from "./lib/names.json";
        import { kind } from "both";
        const late = await Promise.resolve("late");
        export const runtime = {
          handler: async function ({ n }) {
            const { default: again } = await import("./lib/units.js");
            return JSON.stringify([inUnits(n), units.unit, a, old["b-c"], names.list, kind, late, again === inUnits, createHash("md5").update("a").digest("hex").slice(0, 4)]);
          },
        };`,
    };
    const { outcome } = await run({ code: "module.exports", files, input: { n: 3 } });
    expect(outcome).toEqual({
      state: "done",
      text: '["3 m","m",1,2,["x"],"esm","late",true,"0cc1"]',
    });
  });

  it("import packages in a plugin with require, and name what can't be loaded", async () => {
    const files = {
      "node_modules/both/package.json": '{"exports":{"import":"./esm.mjs","require":"./cjs.cjs"}}',
      "node_modules/both/esm.mjs": "export const kind = 'esm';",
      "node_modules/both/cjs.cjs": "exports.kind = 'cjs';",
      "node_modules/new/package.json": '{"type":"module","main":"index.js"}',
      "node_modules/new/index.js": "export default function () { return 'new'; }",
      "unmarked.js": "// import is a word\nexport const x = 1;",
      "late.js": "export const x = await new Promise((done) => setTimeout(done, 1));",
      "broken.mjs": "throw new Error('broken');",
    };
    expect(
      await returned(
        `const made = await import("new"); return JSON.stringify([require("both").kind, (await import("both")).kind, made.default(), (await import("./unmarked.js")).x, require("new").default === made.default]);`,
        { files },
      ),
    ).toEqual(["cjs", "esm", "new", 1, true]);
    expect(await failed(`require("./late.js")`, { files })).toContain(
      '"late.js" has an await at its top level. Load it with import().',
    );
    expect(await failed(`require("./broken.mjs")`, { files })).toContain("broken");
    for (const name of ["fs", "node:child_process"])
      expect(await failed(`await import("${name}")`)).toContain(
        `This plugin needs the module "${name.replace("node:", "")}", which plugins can't use in Carrel.`,
      );
  });

  it("send forms with files, and read replies piece by piece", async () => {
    const [sent, type, lines, blob] = (await returned(`
      const form = new FormData();
      form.append("city", "Köln\\nRhein");
      form.append('a"b\\r\\nx: y', "1");
      form.set("file", new File(["a,b"], "table.csv", { type: "text/csv" }));
      const sent = await (await fetch("http://${host}/", { method: "POST", body: form })).json();
      const reply = await fetch("http://${host}/lines");
      const reader = reply.body.getReader();
      const decoder = new TextDecoder();
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        for (const byte of value) text += decoder.decode(new Uint8Array([byte]), { stream: true });
      }
      const lines = text.split("\\n\\n").filter(Boolean).map((line) => JSON.parse(line.slice(6)).n);
      for await (const piece of (await fetch("http://${host}/lines")).body.pipeThrough(new TextDecoderStream())) lines.push(piece.length);
      const blob = await (await fetch("http://${host}/lines")).blob();
      return JSON.stringify([sent.body, sent.headers["content-type"], lines, [blob.size, await blob.slice(0, 4).text()]]);`)) as [
      string,
      string,
      unknown[],
      unknown[],
    ];
    const boundary = type.replace("multipart/form-data; boundary=", "");
    expect(sent.replaceAll(boundary, "B")).toBe(
      [
        '--B\r\ncontent-disposition: form-data; name="city"\r\n\r\nKöln\r\nRhein',
        '--B\r\ncontent-disposition: form-data; name="a%22b%0D%0Ax: y"\r\n\r\n1',
        '--B\r\ncontent-disposition: form-data; name="file"; filename="table.csv"\r\ncontent-type: text/csv\r\n\r\na,b',
        "--B--\r\n",
      ].join("\r\n"),
    );
    expect(lines).toEqual([1, "ü€", 33]);
    expect(blob).toEqual([36, "data"]);
  });

  it("request with http and https of Node", async () => {
    const result = await returned(`
      const http = require("http");
      const read = (...given) => new Promise((resolve, reject) => {
        const request = http.request(...given, (reply) => {
          let text = "";
          reply.setEncoding("utf8");
          reply.on("data", (piece) => { text += piece; });
          reply.on("end", () => resolve([reply.statusCode, reply.headers["set-cookie"], text]));
        });
        request.on("error", reject);
        request.write('{"a":');
        request.end("1}");
      });
      const [hostname, port] = "${host}".split(":");
      const [status, cookies, text] = await read({ hostname, port, path: "/x?y=1", method: "PUT", headers: { "X-Key": "k" } });
      const { method, headers, body } = JSON.parse(text);
      const moved = await new Promise((resolve) => http.get("http://${host}/moved", (reply) => resolve([reply.statusCode, reply.headers.location])));
      const refused = await new Promise((resolve) => require("node:https").get("https://evil.example/").on("error", (fault) => resolve(fault.message)));
      return JSON.stringify([status, cookies, method, headers["x-key"], body, moved, refused]);`);
    expect(result).toEqual([
      201,
      ["a=1", "b=2"],
      "PUT",
      "k",
      '{"a":1}',
      [302, "/page"],
      "This plugin may not connect to evil.example: its permissions don't name this host.",
    ]);
  });

  it("compress, and write numbers and dates for people", async () => {
    const [packed, ...others] = (await returned(`
      const { promisify } = require("util"), zlib = require("zlib");
      const day = new Date(Date.UTC(2026, 0, 2, 15, 4));
      return JSON.stringify([
        zlib.gzipSync("hello").toString("base64"),
        (await promisify(zlib.gunzip)(Buffer.from("${gzipSync("packed").toString("base64")}", "base64"))).toString(),
        zlib.brotliDecompressSync(zlib.brotliCompressSync("x".repeat(1000))).length,
        (84000).toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 }),
        day.toLocaleDateString("de-DE", { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" }),
        new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Asia/Tokyo" }).format(day),
        typeof Intl.DateTimeFormat().resolvedOptions().timeZone,
        [1, 2].map(new Intl.NumberFormat("en", { minimumFractionDigits: 1 }).format),
        new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day"), new Date(NaN).toLocaleString(),
      ]);`)) as [string, ...unknown[]];
    expect(gunzipSync(Buffer.from(packed, "base64")).toString()).toBe("hello");
    expect(others).toEqual([
      "packed",
      1000,
      "$84,000",
      "Freitag, 2. Januar",
      "00:04",
      "string",
      ["1.0", "2.0"],
      "yesterday",
      "Invalid Date",
    ]);
  });

  it("find what AnythingLLM gives to handlers", async () => {
    const result = await returned(`
      const page = await this.webScraper.getLinkContent("http://${host}/page");
      const refused = await this.webScraper.getLinkContent("http://other.example/");
      return JSON.stringify([this.name, this.runtime, this.parameters.properties, page, refused.success, refused.reason.slice(0, 43)]);`);
    expect(result).toEqual([
      "test-plugin",
      "docker",
      { city: { type: "string" } },
      { success: true, content: "Tides & winds\n2.4 m" },
      false,
      "This plugin may not connect to other.exampl",
    ]);
  });

  it.each([
    ["process.env.KEY", "process"],
    ["new WebSocket('wss://x.example')", "WebSocket"],
    ["new XMLHttpRequest()", "XMLHttpRequest"],
    ["this.super.handlerProps", "this.super"],
    ["require('zlib').createGunzip()", "zlib.createGunzip"],
    ["require('node:stream')", 'the module "stream"'],
  ])("are told what they can't use: %s", async (code, name) => {
    expect(await failed(code)).toContain(
      `This plugin needs ${name}, which plugins can't use in Carrel.`,
    );
  });

  it("are told that streams can't be sent", async () => {
    expect(
      await failed(
        `await fetch("http://${host}/", { method: "POST", body: new ReadableStream() })`,
      ),
    ).toContain("A stream can't be sent in Carrel.");
  });
});
