import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { PluginsBusyError } from "./plugin-runner.ts";
import { memoryStorage, run } from "./plugin.fixture.ts";

/*
 * Plugins that mean harm: none has an effect outside of its own call. After each, the process is as
 * it was, and another plugin runs.
 */

const received: { url: string; headers: NodeJS.Dict<string | string[]> }[] = [];
const server = createServer((request, response) => {
  received.push({ url: request.url!, headers: request.headers });
  if (request.url === "/to-private")
    response.writeHead(302, { location: `http://localhost:${port}/secret` }).end();
  else if (request.url === "/loop") response.writeHead(307, { location: "/loop" }).end();
  else if (request.url === "/endless") {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1_000_000)));
    };
    response.on("drain", write);
    write();
  } else if (request.url !== "/hanging") response.end("ok");
});
let port = 0;
let host = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  host = `127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** For those that never end by themselves. */
const tight = { engineMs: 200, milliseconds: 500, memoryBytes: 24 * 1024 * 1024 };
type Given = Exclude<Parameters<typeof run>[0], string>;
/** Plugins of their own: only so many calls of one run at once. */
let plugins = 0;
const attack = (code: string, more: Partial<Given> = {}) =>
  run({ code, hubId: `plugin-${++plugins}`, ...more });
/** Runs a plugin for each of these; what each came to, by name. */
const attackWithAll = async <T>(
  codes: Readonly<Record<string, string>>,
  read: (code: string) => Promise<T>,
): Promise<Record<string, T>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(codes).map(async ([name, code]) => [name, await read(code)] as const),
    ),
  );
/** A plugin that returns what became of each of these expressions, as JSON. */
const tryAll = (expressions: readonly string[]): string => `
  const all = [${expressions.map((each) => `async () => ${each}`).join(",")}];
  const ends = [];
  for (const each of all) ends.push(await each().then((value) => "done: " + value, String));
  return JSON.stringify(ends);`;
async function ends(expressions: readonly string[], more?: Partial<Given>): Promise<string[]> {
  return JSON.parse(await said(tryAll(expressions), more)) as string[];
}
const online = { hosts: ["127.0.0.1"], allow: ["127.0.0.1"] };
const onlineHere = (): Partial<Given> => ({ ...online, hosts: [host] });
/** The text that it returned. */
async function said(code: string, more?: Partial<Given>): Promise<string> {
  const { outcome } = await attack(code, more);
  if (outcome.state !== "done") throw new Error(JSON.stringify(outcome));
  return outcome.text;
}
/** Why it failed. */
async function failed(code: string, more?: Partial<Given>): Promise<string> {
  const { outcome } = await attack(code, more);
  return outcome.state === "failed" ? outcome.reason : outcome.state;
}

describe("plugins that try to get out", () => {
  it("by constructors, stacks and names find nothing of the host", async () => {
    const found = await ends([
      `typeof [].constructor.constructor("return this.process")()`,
      `typeof (await (async () => {}).constructor("return this.process")())`,
      `typeof (function* () {}).constructor("return this.process")().next().value`,
      `typeof (0, eval)("this.process")`,
      `typeof (function () { return this })()?.process`,
      `typeof this.introspect.constructor("return this.process")()`,
      `typeof (await fetch.constructor("return this.process")())`,
      `typeof require.main + typeof module.parent + typeof module.constructor._load`,
      `[typeof Deno, typeof Bun, typeof std, typeof os, typeof scriptArgs, typeof WebAssembly, typeof Atomics?.wait].join()`,
      // Last, because it changes what errors say.
      `{ Error.prepareStackTrace = (_, sites) => sites; const s = new Error().stack; return typeof s[0]?.getThis }`,
    ]);
    expect(found).toHaveLength(10);
    expect(found.filter((each) => /object|function/.test(each))).toEqual([]);
  });

  it("by dynamic import fail", async () => {
    expect(
      await failed(`const fs = await import("node:fs"); return fs.readFileSync("/etc/passwd")`),
    ).toMatch(/Error/);
  });

  it("by what they import find nothing else, and replace nothing", async () => {
    const files = {
      "package.json": '{"type":"module"}',
      "handler.js": `
        try { globalThis.carrelRequire = () => "mine"; } catch {}
        export const runtime = { handler: async () => {
          const found = [];
          for (const name of ["../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "require:fs", "require:/../x", "refused:", "data:text/javascript,export default 1", "carrel:core", "__proto__", "\\0", "x".repeat(100000)])
            found.push(await import(name).then(() => "loaded", () => "refused"));
          const { default: self } = await import("./handler.js");
          return [...new Set(found)].join() + typeof carrelRequire("path").join + typeof import.meta.url + typeof self;
        } };`,
    };
    expect(await said("module.exports", { files })).toBe("refusedfunctionundefinedundefined");
  });

  it("by paths find only their own files", async () => {
    const paths = ["../../../etc/passwd", "/etc/passwd", "./../handler.js", "file:///etc/passwd"];
    expect(await ends(paths.map((path) => `require(${JSON.stringify(path)})`))).toEqual(
      paths.map(() => expect.stringContaining("Cannot find module")),
    );
    expect(await said(`return String(require.resolve("/handler.js"))`)).toBe("/handler.js");
  });

  it("by package.json find nothing outside either", async () => {
    const files = {
      "node_modules/a/package.json": '{"main":"../../../../etc/passwd"}',
      "node_modules/b/package.json": '{"exports":{".":"../../../../../etc/passwd"}}',
      "node_modules/c/package.json": '{"exports":{"__proto__":{"x":1},"constructor":"./x"}}',
    };
    const names = ["a", "b", "c", "c/constructor", "__proto__", "constructor"];
    expect(
      await ends(
        names.map((name) => `require("${name}")`),
        { files },
      ),
    ).toEqual(names.map(() => expect.stringContaining("Cannot find module")));
  });

  it("pollute no prototype of the host, and no result", async () => {
    const text = await said(`
      Object.prototype.polluted = "yes"; Array.prototype.polluted = "yes"; Object.prototype.toJSON = () => "hijacked";
      Promise.prototype.then = undefined; Function.prototype.call = () => "x"; String.prototype.slice = () => "long".repeat(10);
      return "text";`).catch((fault: Error) => fault.message);
    expect(typeof text).toBe("string");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(([] as { polluted?: unknown }).polluted).toBeUndefined();
    const value = await said(`return JSON.parse('{"__proto__":{"polluted":1},"a":1}')`);
    expect(value).toBe('{"__proto__":{"polluted":1},"a":1}');
  });

  it("reach no storage or names of other plugins by odd keys", async () => {
    const storage = memoryStorage();
    const keys = ["__proto__", "constructor", "../other/key", "", "a".repeat(200)];
    await said(
      `for (const key of ${JSON.stringify(keys)}) await this.storage.set(key, { __proto__: null, polluted: 1 }); return "";`,
      { storage },
    );
    expect([...storage.values.keys()]).toEqual(keys);
    expect(await failed(`await this.storage.set("a".repeat(201), 1)`, { storage })).toContain(
      "invalid",
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("plugins that use up what they can", () => {
  it("are stopped", async () => {
    const states = await attackWithAll(
      {
        "a loop": `for (;;);`,
        "a loop that catches everything": `for (;;) try { for (;;); } catch {}`,
        "a loop of promises": `const f = () => Promise.resolve().then(f); await f();`,
        "promises that make more": `const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); }; f(); await new Promise(() => {});`,
        "a regular expression": `/(a+)+$/.test("a".repeat(50) + "b")`,
        "big numbers": `let big = 2n ** 100_000n; for (let n = 0; n < 3; n++) big *= big; for (;;) big / (big >> 400_000n);`,
        "a getter": `return { get x() { for (;;); } };`,
        toJSON: `return { toJSON() { for (;;); } };`,
        "a thenable": `return { then() { for (;;); } };`,
        "a Proxy": `return new Proxy({}, { ownKeys() { for (;;); } });`,
        "a symbol": `return \`\${{ [Symbol.toPrimitive]() { for (;;); } }}\`;`,
        "its error's message": `throw { get message() { for (;;); } };`,
        "while it is loaded": `module.exports = {}; for (;;);`,
        "timers that never end": `setInterval(() => undefined, 0); await new Promise(() => {});`,
        "a timer that blocks": `setTimeout(() => { for (;;); }, 5); await new Promise(() => {});`,
        memory: `const all = []; for (;;) all.push(new Array(10_000).fill(all.length));`,
        "a string": `let s = "x".repeat(1e6); for (;;) s += s;`,
        "an ArrayBuffer": `const all = []; for (;;) all.push(new ArrayBuffer(1e7));`,
        recursion: `const f = () => f() + f(); f();`,
        "a stream that never ends": `for await (const _ of new ReadableStream({ pull: (c) => c.enqueue(1) }));`,
        "a module that imports without end": `let n = 0; const more = async () => { await import("./loop.mjs?" + n++).catch(more); }; await more();`,
        "deep JSON": `let x = []; for (let n = 0; n < 1e5; n++) x = [x]; return JSON.stringify(x);`,
        "a generator": `function* g() { for (;;) yield 1 } return [...g()].length;`,
        "a module that requires itself": `const m = () => { delete require.cache; return require("./loop.js") }; for (;;) m();`,
      },
      async (code) =>
        (await attack(code, { files: { "loop.js": "for (;;) {}" }, limits: tight })).outcome.state,
    );
    expect(Object.entries(states).filter(([, state]) => state === "done")).toEqual([]);
  }, 120_000);

  it("unpack a bomb, or ask for formats without end: only the call fails", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000)).toString("base64");
    expect(await failed(`require("zlib").gunzipSync(Buffer.from("${bomb}", "base64"))`)).toMatch(
      /larger than/,
    );
    expect(
      await failed(
        `for (;;) new Intl.NumberFormat("en", { style: "currency", currency: "EUR" }).format(1)`,
        {
          limits: tight,
        },
      ),
    ).toBe("timed-out");
    for (const given of [`"x-".repeat(1e5)`, `"en", { timeZone: "../../etc" }`, `["__proto__"]`])
      expect(await failed(`new Intl.DateTimeFormat(${given})`)).toMatch(/Error/);
  });

  it("write a million lines: the first are kept, short", async () => {
    const { outcome, lines } = await attack(
      `for (let n = 0; n < 1e6; n++) this.logger("x".repeat(5000)); return "done"`,
      { limits: { engineMs: 300 } },
    );
    expect(["done", "timed-out"]).toContain(outcome.state);
    expect(lines.length).toBeLessThanOrEqual(200);
    expect(lines.every(({ text }) => text.length <= 2_000)).toBe(true);
  });

  it("return a huge result: it is cut", async () => {
    const { outcome } = await attack(`return "x".repeat(5_000_000)`);
    expect(outcome).toEqual({ state: "done", text: "x".repeat(500_000) });
  });

  it("send a flood of requests: only so many are made, a few at a time", async () => {
    received.length = 0;
    const code = `const all = await Promise.allSettled(Array.from({ length: 1000 }, () => fetch("http://${host}/"))); return String(all.filter((each) => each.status === "fulfilled").length);`;
    expect(await said(code, onlineHere())).toBe("50");
    expect(received).toHaveLength(50);
  });

  it("wait for a server that doesn't answer, or never ends: only the call ends", async () => {
    expect(
      await failed(`await fetch("http://${host}/hanging")`, { ...onlineHere(), limits: tight }),
    ).toBe("timed-out");
    expect(await failed(`await fetch("http://${host}/endless")`, onlineHere())).toMatch(
      /at most|too large|larger|limit/i,
    );
  });

  it("block every place: another plugin still gets its turn", async () => {
    const stop = new AbortController();
    const hanging = Array.from({ length: 70 }, () =>
      run({ code: `await new Promise((r) => setTimeout(r, 60000))`, signal: stop.signal }).catch(
        (fault: unknown) => (fault instanceof PluginsBusyError ? "busy" : "stopped"),
      ),
    );
    const other = await run({ code: `return "mine"`, hubId: "other-plugin" });
    expect(other.outcome).toEqual({ state: "done", text: "mine" });
    stop.abort(new Error("stopped"));
    expect(await Promise.all(hanging)).toEqual([
      ...Array(18).fill("stopped"),
      ...Array(52).fill("busy"),
    ]);
  });
});

describe("plugins that connect to what they may not", () => {
  it("are refused what they weren't granted, and what is no request", async () => {
    received.length = 0;
    const refusals: [code: string, message: RegExp][] = [
      [`fetch("https://evil.example/")`, /may not connect to evil\.example/],
      [`fetch("http://127.0.0.1:1/")`, /may not connect to 127\.0\.0\.1:1/],
      [`fetch("https://xapi.example.org/")`, /may not connect/],
      [`fetch("https://api.example.org@evil.example/")`, /may not connect to evil/],
      [`fetch("file:///etc/passwd")`, /http or https/],
      [`fetch("data:text/plain,hi")`, /http or https/],
      [`fetch("https://api.example.org", { method: "CONNECT" })`, /CONNECT/],
      [`fetch("not an address")`, /Invalid URL/],
    ];
    expect(
      await ends(
        refusals.map(([code]) => code),
        { hosts: ["api.example.org"] },
      ),
    ).toEqual(refusals.map(([, message]) => expect.stringMatching(message)));
    expect(received).toEqual([]);
  });

  it("don't reach private addresses, even if they were granted", async () => {
    received.length = 0;
    const addresses = [
      "127.0.0.1",
      "localhost",
      "169.254.169.254",
      "[::1]",
      "10.0.0.1",
      "metadata.google.internal",
      "0.0.0.0",
      "2130706433",
      "0x7f.1",
    ].map((name) => `http://${name}:${port}/`);
    expect(
      await ends(
        addresses.map((address) => `fetch("${address}")`),
        { hosts: addresses.map((address) => new URL(address).host) },
      ),
    ).toEqual(addresses.map(() => expect.stringMatching(/^TypeError: .+/)));
    expect(received).toEqual([]);
  });

  it("aren't led there by a redirect", async () => {
    received.length = 0;
    expect(await failed(`await fetch("http://${host}/to-private")`, onlineHere())).toContain(
      "may not connect to localhost",
    );
    expect(await failed(`await fetch("http://${host}/loop")`, onlineHere())).toMatch(/redirect/i);
    expect(received.map(({ url }) => url)).not.toContain("/secret");
  });

  it("smuggle no headers", async () => {
    const headers = [
      `{ "x": "a\\r\\nHost: evil" }`,
      `{ "x\\r\\ny": "a" }`,
      `{ "x y": "a" }`,
      `{ "x": "a\\0" }`,
    ];
    expect(
      await ends(
        headers.map((each) => `fetch("http://${host}/", { headers: ${each} })`),
        onlineHere(),
      ),
    ).toEqual(headers.map(() => expect.stringContaining("is invalid")));
    received.length = 0;
    await said(
      `await fetch("http://${host}/", { method: "POST", body: "1", headers: { Host: "evil", "Content-Length": "999", "Transfer-Encoding": "chunked", Connection: "upgrade", Upgrade: "h2c", "Proxy-Authorization": "x", Cookie: "a=b" } }); return "";`,
      onlineHere(),
    );
    expect(received[0]!.headers).toMatchObject({ host, "content-length": "1", cookie: "a=b" });
    expect(Object.keys(received[0]!.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/transfer-encoding|upgrade|proxy/)]),
    );
  });
});

describe("plugins whose errors and results are tricks", () => {
  it("fail with a text", async () => {
    const outcomes = await attackWithAll(
      {
        "a subclass with a poisoned stack": `class E extends Error { get stack() { throw 1 } get name() { throw 2 } toString() { throw 3 } } throw new E("x");`,
        null: `throw null;`,
        "a symbol": `throw Symbol("x");`,
        "a Proxy that throws": `throw new Proxy({}, { get() { throw new Error("inner") } });`,
        "an error whose message is an object": `throw Object.assign(new Error(), { message: { toString() { throw 1 } } });`,
        "a rejected thenable": `return { then(_, reject) { reject({ message: 1 }) } };`,
        "a circle": `const a = {}; a.a = a; return a;`,
        "a big number": `return { a: 1n };`,
        "shared memory": `return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100000);`,
      },
      async (code) => (await attack(code)).outcome,
    );
    for (const [name, outcome] of Object.entries(outcomes))
      expect({ name, ...outcome }).toEqual({ name, state: "failed", reason: expect.any(String) });
  });

  it("give a text at most", async () => {
    const texts = await attackWithAll(
      {
        nothing: `return undefined;`,
        "a function": `return () => 1;`,
        "a symbol": `return Symbol("x");`,
        toJSON: `return { toJSON: () => "as it likes" };`,
        "lone surrogates": `return "a\\ud800b";`,
      },
      (code) => said(code),
    );
    expect(texts).toEqual({
      nothing: "",
      "a function": "",
      "a symbol": "",
      toJSON: '"as it likes"',
      "lone surrogates": expect.stringMatching(/^a.+b$/u),
    });
  });
});
