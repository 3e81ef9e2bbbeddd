import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createContentClient } from "@carrel/egress";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createPluginFetch } from "./plugin-fetch.ts";
import { memoryStorage, run } from "./plugin.fixture.ts";

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/moved") response.writeHead(302, { location: "/weather?q=moved" }).end();
    else if (request.url === "/bytes") response.end(Buffer.from([0, 255, 254, 1]));
    else
      response.writeHead(200, { "content-type": "application/json", "x-kind": "json" }).end(
        JSON.stringify({
          path: request.url,
          method: request.method,
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
  });
});
let host = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** The text that a plugin returned. */
async function returned(given: Parameters<typeof run>[0]): Promise<string> {
  const { outcome } = await run(given);
  if (outcome.state !== "done") throw new Error(JSON.stringify(outcome));
  return outcome.text;
}
const online = (code: string) => ({ code, hosts: [host], allow: ["127.0.0.1"] });

describe("a plugin", () => {
  it("runs as existing ones are written", async () => {
    const { outcome, lines } = await run({
      ...online(`
        const { unit } = require("./lib/units.js");
        module.exports.runtime = {
          prefix: "Weather",
          handler: async function ({ city }) {
            const callerId = \`\${this.config.name}-v\${this.config.version}\`;
            try {
              this.introspect(\`\${callerId} called with \${city}\`);
              const url = new URL("http://${host}/weather");
              url.searchParams.set("q", city);
              const reply = await fetch(url, { headers: { "X-Api-Key": this.runtimeArgs["API_KEY"] } });
              const { path, headers } = await reply.json();
              this.logger(reply.status, { path });
              return JSON.stringify([this.prefix, path, headers["x-api-key"], unit, require("./lib/names").list]);
            } catch (e) {
              return \`failed: \${e.message}\`;
            }
          },
        };`),
      files: {
        "lib/units.js": "exports.unit = __dirname + ' ' + require('../plugin.json').hubId;",
        "lib/names/index.js": "module.exports = { list: require('tiny').list };",
        "plugin.json": '{"hubId":"test-plugin"}',
        "node_modules/tiny/package.json":
          '{"exports":{".":{"import":"./no.mjs","default":"./tiny.cjs"}}}',
        "node_modules/tiny/tiny.cjs": "exports.list = require('./deep').concat('tiny');",
        "node_modules/tiny/deep.js": "module.exports = ['deep'];",
      },
      input: { city: "Köln & more" },
      args: { API_KEY: "sk-1" },
    });
    expect(outcome).toEqual({
      state: "done",
      text: '["Weather","/weather?q=K%C3%B6ln+%26+more","sk-1","/lib test-plugin",["deep","tiny"]]',
    });
    expect(lines).toEqual([
      { kind: "shown", text: "Test plugin-v1.2.3 called with Köln & more" },
      { kind: "log", text: '200 {"path":"/weather?q=K%C3%B6ln+%26+more"}' },
    ]);
  });

  it("sends requests and reads replies of all kinds", async () => {
    const text = await returned(
      online(`
        const base = "http://${host}";
        const posted = await (await fetch(base + "/a", { method: "post", body: JSON.stringify({ a: "ü" }), headers: new Headers({ "content-type": "application/json" }) })).json();
        const form = await (await fetch(new Request(base, { method: "PUT", body: new URLSearchParams({ q: "1 2" }) }))).json();
        const bytes = await (await fetch(base + "/bytes")).arrayBuffer();
        const moved = await fetch(base + "/moved");
        const kept = await fetch(base + "/moved", { redirect: "manual" });
        return JSON.stringify([posted.method, posted.body, posted.headers["content-type"], form.body, form.headers["content-type"],
          [...new Uint8Array(bytes)], Buffer.from(bytes).toString("base64"), moved.redirected, (await moved.json()).path, kept.status, moved.headers.get("X-Kind"), moved.ok]);`),
    );
    expect(JSON.parse(text)).toEqual([
      "POST",
      '{"a":"ü"}',
      "application/json",
      "q=1+2",
      "application/x-www-form-urlencoded;charset=UTF-8",
      [0, 255, 254, 1],
      "AP/+AQ==",
      true,
      "/weather?q=moved",
      302,
      "json",
      true,
    ]);
  });

  it("sends nothing in clear text to a public server once it has a secret", async () => {
    const send = createPluginFetch({
      // Refused before anything connects.
      content: createContentClient({
        resolve: () => Promise.resolve([{ address: "9.9.9.9", family: 4 }]),
      }),
      hosts: ["api.example.com"],
      hasSecrets: true,
    });
    const request = { url: "http://api.example.com/", method: "GET", headers: [], body: null };
    await expect(
      send({ ...request, redirect: "follow" }, new AbortController().signal),
    ).rejects.toThrow("only sent to");
  });

  it("has the globals and modules that plugins use", async () => {
    const text = await returned(`
      const util = require("node:util"), path = require("path"), qs = require("querystring"), EventEmitter = require("events");
      const { createHash, createHmac, randomUUID } = require("crypto");
      const order = [];
      const emitter = new EventEmitter();
      emitter.on("x", (value) => order.push(value));
      emitter.emit("x", "emitted");
      await new Promise((resolve) => setTimeout(resolve, 5, order.push("waited")));
      const controller = new AbortController();
      controller.abort();
      return JSON.stringify([
        util.format("%s is %d %j", "a", 1, { b: 2 }), path.join("a", "../b", "c.txt"), qs.parse("a=1&a=2&b=%20x"), qs.stringify({ a: [1, 2] }),
        createHash("sha256").update("abc").digest("hex").slice(0, 8), createHmac("sha1", "key").update("a").update("b").digest("base64"),
        /^[0-9a-f-]{36}$/.test(randomUUID()) && /^[0-9a-f-]{36}$/.test(crypto.randomUUID()),
        order, structuredClone({ d: new Date(0), m: new Map([[1, { x: [1] }]]) }).m.get(1).x, btoa("hé"), atob("aGk="),
        new TextDecoder().decode(new TextEncoder().encode("ß€")), controller.signal.reason.name, Buffer.from("aGk", "base64url").toString("base64url"),
        URL.canParse("x"), new URL("../b?x=1#h", "https://ex.org/a/c").href, typeof process, global === globalThis, require("url").URL === URL]);`);
    expect(JSON.parse(text)).toEqual([
      'a is 1 {"b":2}',
      "b/c.txt",
      { a: ["1", "2"], b: " x" },
      "a=1&a=2",
      "ba7816bf",
      "1lnIpieF/KDQMpxudn7kgX40Yo0=",
      true,
      ["emitted", "waited"],
      [1],
      "aOk=",
      "hi",
      "ß€",
      "AbortError",
      "aGk",
      false,
      "https://ex.org/b?x=1#h",
      "undefined",
      true,
      true,
    ]);
  });

  it("keeps JSON values between calls, if it may", async () => {
    const storage = memoryStorage();
    await returned({ code: `await this.storage.set("n", { count: 1 }); return "";`, storage });
    const code = `const n = await this.storage.get("n"); await this.storage.delete("n"); return JSON.stringify([n, await this.storage.keys(), await this.storage.get("none") ?? null]);`;
    expect(await returned({ code, storage })).toBe('[{"count":1},[],null]');
    const { outcome } = await run(`await this.storage.get("n")`);
    expect(outcome).toEqual({
      state: "failed",
      reason: "TypeError: This plugin may not keep anything.",
    });
  });

  it.each(["fs", "node:fs/promises", "child_process", "net", "process", "http2", "worker_threads"])(
    "is told that it can't use %s",
    async (name) => {
      const { outcome } = await run(`require("${name}")`);
      expect(outcome).toEqual({
        state: "failed",
        reason: `Error: This plugin needs the module "${name.replace("node:", "")}", which plugins can't use in Carrel.`,
      });
    },
  );

  it("fails with its error, with what its handler lacks, or if nothing will ever happen", async () => {
    const reasons = await Promise.all(
      [
        `throw new RangeError("too far");`,
        `module.exports = {};`,
        `await new Promise(() => undefined);`,
        `require("./missing");`,
        `return (`,
      ].map(async (code) => (await run(code)).outcome),
    );
    expect(reasons).toEqual([
      { state: "failed", reason: "RangeError: too far" },
      {
        state: "failed",
        reason: "TypeError: handler.js has to set module.exports.runtime.handler to a function.",
      },
      {
        state: "failed",
        reason: "The handler never returned: it awaits something that never settles.",
      },
      { state: "failed", reason: 'Error: Cannot find module "./missing".' },
      { state: "failed", reason: expect.stringMatching(/^SyntaxError: /) },
    ]);
  });

  it("isn't timed out because the process was too busy to hear that it started", async () => {
    expect(await returned(`return "compiled"`)).toBe("compiled");
    const code = `const end = Date.now() + 900; while (Date.now() < end); return "done"`;
    const call = returned({ code, limits: { engineMs: 2_000 } });
    await new Promise((resolve) => setImmediate(resolve));
    // Long enough for the look at the clock to be due before the worker's messages are read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    expect(await call).toBe("done");
  });

  it("can be stopped, also while it waits for its turn", async () => {
    const stop = new AbortController();
    const calls = Array.from({ length: 4 }, () =>
      run({ code: "await new Promise((r) => setTimeout(r, 60000))", signal: stop.signal }),
    );
    stop.abort(new Error("stopped"));
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(
      Array(4).fill("rejected"),
    );
    expect(await returned(`return "next"`)).toBe("next");
  });
});
