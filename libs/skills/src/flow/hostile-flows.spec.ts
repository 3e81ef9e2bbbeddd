import { flowSteps } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
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

/* Flows, variables and servers that try to reach or change what they may not. */

useHostileSite();

describe("an address that leads inside", () => {
  it.each([
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7f.0.0.1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127。0。0。1:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://[::]:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://localhost:PORT/",
    "http://LOCALHOST.:PORT/",
    "http://a.localhost:PORT/",
    "http://evil.test:PORT/",
    "http://mixed.test:PORT/",
    "http://site.test@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT\\@site.test/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://metadata.google.internal/",
    "http://site.test:22/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:PORT/",
    "data:text/plain,hi",
    "javascript:alert(1)",
    "//127.0.0.1:PORT/",
    "unix:/var/run/docker.sock",
  ])("isn't requested: %s", async (text) => {
    const url = text.replace("PORT", String(site.port));
    for (const step of [api({ url }), page({ url })])
      expect(await codeOf([step])).toMatch(/^flow\.(block-failed|address-invalid)$/);
    const given = [{ type: "start", config: { variables: [{ name: "u", value: url }] } }];
    expect(await codeOf([...given, api({ url: "${u}" })])).toBeDefined();
    expect(site.received).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])("isn't followed to with status %s", async (status) => {
    site.answer = (_, response) =>
      void response.writeHead(status, { location: `http://127.0.0.1:${site.port}/inside` }).end();
    for (const method of ["GET", "POST"]) expect(await codeOf([api({ method })])).toBeDefined();
    expect(await codeOf([page({})])).toBeDefined();
    expect(new Set(site.received)).toEqual(new Set(["/"]));
  });

  it("isn't followed to forever", async () => {
    site.answer = ({ url }, response) =>
      void response.writeHead(302, { location: `${String(url)}x` }).end();
    expect(await codeOf([api({})])).toBe("flow.block-failed");
    expect(site.received.length).toBeLessThan(10);
  });
});

describe("names of what every object has", () => {
  it.each([
    "__proto__",
    "constructor",
    "toString",
    "v.__proto__",
    "v.constructor.name",
    'v["__proto__"]["polluted"]',
    "v.list.map",
    "text.length",
    "text[0]",
  ])("aren't variables: %s", async (path) => {
    const variables = { v: { list: [1] }, text: "abc" };
    const { error, variables: after } = await run([transform(`<\${${path}}>`)], { variables });
    expect(error).toBeNull();
    expect(after.result).toBe(`<\${${path}}>`);
  });

  it("are only fields in responses, tables and code", async () => {
    const text =
      '{"__proto__":{"polluted":1},"constructor":2,"toString":3,"valueOf":4,"a":1,"a":5}';
    site.answer = (_, response) => void response.end(text);
    const { error, variables } = await run([
      api({}),
      transform(`[${text},{}]`, { kind: "columns", names: ["__proto__", "constructor", "none"] }),
      {
        type: "carrel-code",
        config: { code: "String(variables.reply.a)", resultVariable: "five" },
      },
      transform(`[${text},{}]`, { kind: "format", as: "csv" }),
    ]);
    expect(error).toBeNull();
    expect(variables.five).toBe("5");
    expect(variables.result).toBe(
      '__proto__,constructor,toString,valueOf,a\r\n"{""polluted"":1}",2,3,4,5\r\n,,,,',
    );
    expect(
      (await run([transform(`[${text},{}]`, { kind: "sort", column: "toString" })])).error,
    ).toBeNull();
    for (const name of ["__proto__", "constructor"])
      expect(await codeOf([transform("{}", { kind: "pick", path: name })])).toBe(
        "flow.block-failed",
      );
  });

  it("can be names of variables, inputs and fields of a body", async () => {
    const variables = [{ name: "__proto__", value: '{"polluted":1}' }];
    let body = "";
    site.answer = (request, response) => {
      request.on("data", (piece) => (body += String(piece)));
      request.on("end", () => response.end("{}"));
    };
    const inner = flowSteps.parse([{ type: "start", config: { variables } }]);
    const { error } = await run(
      [
        { type: "start", config: { variables } },
        {
          type: "carrel-flow",
          config: { flowId: "b", inputs: [{ name: "__proto__", value: "1" }] },
        },
        api({ method: "POST", body: '{"__proto__":"${__proto__}","constructor":"x"}' }),
      ],
      { ports: portsWith({ findFlow: () => Promise.resolve({ name: "B", steps: inner }) }) },
    );
    expect(error).toBeNull();
    expect(body).toBe('{"__proto__":"{\\"polluted\\":1}","constructor":"x"}');
  });
});

describe("texts that others wrote", () => {
  it("aren't templates", async () => {
    site.answer = (_, response) => void response.end("${key} {{credential.KEY}} ${constructor}");
    const variables = { key: "of-the-run" };
    const { variables: after } = await run([api({}), transform("<${reply}>")], { variables });
    expect(after.result).toBe("<${key} {{credential.KEY}} ${constructor}>");
  });

  it.each(["a\r\nx-evil: 1", "a\nb", "a\0b", "\u2028"])("can't add headers: %j", async (value) => {
    const variables = { value };
    for (const headers of [[{ key: "x-a", value: "${value}" }], [{ key: "${value}", value: "1" }]])
      expect(await codeOf([api({ headers })], { variables })).toBe("flow.block-failed");
    expect(site.received).toEqual([]);
  });

  it("can't add fields to bodies, or end a table's row", async () => {
    const value = '","admin":true,"x":"';
    const { variables } = await run(
      [
        transform('[{"a":"${value}"}]', { kind: "format", as: "json" }),
        { ...transform("${rows}", { kind: "format", as: "markdown" }) },
      ],
      { variables: { value, rows: [{ a: "x | y\n| z |\n\n<script>" }] } },
    );
    expect(variables.result).toBe("| a |\n| --- |\n| x \\| y \\| z \\| <script> |");
  });

  it("aren't scripts once they are pages", async () => {
    site.answer = (_, response) =>
      void response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<p>Kept</p><script>alert(1)</script><style>x</style><iframe src="javascript:alert(2)"></iframe>` +
            `<a href="javascript:alert(3)">link</a><img src=x onerror=alert(4)><svg onload=alert(5)>`,
        );
    const { variables, error } = await run([page({ captureAs: "text" })]);
    expect(error).toBeNull();
    expect(variables.page).toContain("Kept");
    expect(variables.page).not.toMatch(/alert|script|onerror/);
  });
});

describe("code in a flow", () => {
  it.each([
    "process.env",
    "require('fs')",
    "await import('node:fs')",
    "await fetch('http://127.0.0.1')",
    "this.constructor.constructor('return process')().exit()",
    "(async () => {}).constructor('return process')()",
    "variables.constructor.constructor('return globalThis.process.pid')()",
    "new Function('return process')()",
    "Reflect.getPrototypeOf(variables).polluted = 1; Object.prototype.polluted = 1; process",
    "const f = () => f(); f()",
    "let s = 'x'; for (let i = 0; i < 40; i++) s += s; s.length",
  ])("doesn't get out: %s", async (code) => {
    const { error } = await run([{ type: "carrel-code", config: { code } }], {
      variables: { a: 1 },
    });
    expect(error).not.toBeNull();
    expect(site.received).toEqual([]);
  });

  it("can't return what isn't data", async () => {
    const code = "({ toString() { throw 1 }, toJSON() { return { a: 1 } }, then(f) { f('t') } })";
    const { variables } = await run([
      { type: "carrel-code", config: { code, resultVariable: "made" } },
      transform("<${made}>"),
    ]);
    expect(typeof variables.result).toBe("string");
  });
});
