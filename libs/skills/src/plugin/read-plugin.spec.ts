import { Buffer } from "node:buffer";
import { describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import { readPlugin } from "./read-plugin.ts";
import { proposePermissions } from "./scan-plugin.ts";
import { unpackPlugin } from "./unpack-plugin.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const manifestOf = (more: object = {}): Record<string, unknown> => ({
  hubId: "test-plugin",
  name: "Test",
  version: 1,
  entrypoint: { file: "handler.js", params: {} },
  ...more,
});
const filesOf = (
  manifest: unknown = manifestOf(),
  more: Readonly<Record<string, string>> = {},
): Map<string, Uint8Array> =>
  new Map(
    Object.entries({
      "plugin.json": typeof manifest === "string" ? manifest : JSON.stringify(manifest),
      "handler.js": "module.exports.runtime = {};",
      ...more,
    }).map(([path, text]) => [path, bytes(text)]),
  );
/** The code of the refusal. */
const refusal = (work: () => unknown): unknown => {
  try {
    work();
    return null;
  } catch (fault) {
    return (fault as { code?: unknown }).code;
  }
};

describe("files of a plugin", () => {
  it("are the same content whatever was set or switched", () => {
    const args = (value?: string) => ({
      setup_args: {
        API_KEY: { type: "string", required: true, input: {}, ...(value && { value }) },
      },
    });
    const first = readPlugin(filesOf(manifestOf({ ...args("sk-1"), active: true })));
    const second = readPlugin(filesOf(manifestOf({ ...args(), active: false })));
    expect(first.values).toEqual({ API_KEY: "sk-1" });
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(readPlugin(filesOf(manifestOf(args()))).hash).toBe(second.hash);
    expect(first.hash).toBe(second.hash);
    expect(new TextDecoder().decode(first.files.get("plugin.json"))).not.toContain("sk-1");
    expect(readPlugin(filesOf(manifestOf(args()), { "a.js": "" })).hash).not.toBe(first.hash);
  });

  it.each([
    "../evil.js",
    "/etc/passwd",
    "a/../../evil.js",
    "./a.js",
    "a//b.js",
    "C:\\evil.js",
    "c:evil.js",
    "a\\b.js",
    "a\0.js",
    "a/b\n.js",
    "dots.",
    "space ",
    "a/",
    "",
    "plugin.json:stream",
    "x".repeat(201),
    `${"a/".repeat(200)}b.js`,
    "lone\ud800.js",
  ])("can't have the name %j", (name) => {
    expect(refusal(() => readPlugin(filesOf(undefined, { [name]: "" })))).toBe(
      "plugin.file-name-invalid",
    );
  });

  it.each<Readonly<Record<string, string>>>([
    { "Handler.js": "" },
    { "lib/a.js": "", "LIB/A.js": "" },
    { "\u00e9.js": "", "e\u0301.js": "" },
    { lib: "", "lib/a.js": "" },
  ])("can't have names that collide: %j", (more) => {
    expect(refusal(() => readPlugin(filesOf(undefined, more)))).toBe("plugin.file-name-taken");
  });

  it.each([
    ["no JSON", "{"],
    ["a list", []],
    ["null", "null"],
    [
      "what is too deep to be written again",
      `{"hubId":"x","entrypoint":{},"more":${"[".repeat(9_000)}${"]".repeat(9_000)}}`,
    ],
    ["more than 100 kB", manifestOf({ more: "x".repeat(100_000) })],
    ["a hubId that leads elsewhere", manifestOf({ hubId: "../../x" })],
    ["a hubId of a file", manifestOf({ hubId: "a/b" })],
    ["a hubId that is no name of a tool", manifestOf({ hubId: "a b" })],
    ["a hubId of another type", manifestOf({ hubId: { toString: "x" } })],
    ["an own __proto__", '{"__proto__":{"hubId":"x","entrypoint":{"file":"handler.js"}}}'],
    ["params that are no object", manifestOf({ entrypoint: { file: "handler.js", params: "x" } })],
    [
      "a parameter without a name",
      manifestOf({ entrypoint: { file: "handler.js", params: { "": {} } } }),
    ],
    ["arguments that are a list", manifestOf({ setup_args: [1] })],
    [
      "permissions for every host",
      manifestOf({ permissions: { hosts: ["*"], storage: true, secrets: [] } }),
    ],
    [
      "permissions for a domain of all",
      manifestOf({ permissions: { hosts: ["*.com"], storage: true, secrets: [] } }),
    ],
  ])("need a proper plugin.json, without %s", (_, manifest) => {
    expect(refusal(() => readPlugin(filesOf(manifest)))).toBe("plugin.manifest-invalid");
  });

  it("pollute nothing with names of prototypes", () => {
    const json = `{"hubId":"x","name":"n\\u0000","entrypoint":{"file":"handler.js","params":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}},"setup_args":{"toString":{"value":"v"}},"__proto__":{"polluted":true}}`;
    const code = refusal(() => readPlugin(filesOf(json)));
    const read = code === null ? readPlugin(filesOf(json)) : null;
    expect([null, "plugin.manifest-invalid"]).toContain(code);
    if (read !== null) {
      expect(Object.keys(read.manifest.entrypoint.params)).toEqual(["constructor"]);
      expect(read.manifest.name).toBe("n");
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("have only texts that a database can keep", () => {
    const params = { unit: { enum: ["k\0m", "half \ud83d", 3, true] } };
    const { manifest } = readPlugin(
      filesOf(manifestOf({ name: "n\0\udc00", entrypoint: { file: "handler.js", params } })),
    );
    expect(manifest.entrypoint.params.unit!.enum).toEqual(["km", "half \ufffd", 3, true]);
    expect(manifest.name).toBe("n\ufffd");
  });

  it.each(["run-code", "rag-memory", "sql-query", "search-web"])(
    "can't have the name of %s, a tool of ours",
    (hubId) => {
      expect(refusal(() => readPlugin(filesOf(manifestOf({ hubId }))))).toBe("plugin.name-taken");
    },
  );

  it("propose what the code seems to need, unless the plugin declares it", () => {
    const code = `
      fetch(\`https://api.example.org/v1/\${path}\`); fetch("http://OTHER.example.org:8080/"); fetch(\`https://\${host}.example.com\`);
      fetch(\`https://api.\${domain}/\`); fetch("http://${"a".repeat(100_000)}\${x}");
      const key = this.runtimeArgs["API_KEY"] || this.runtimeArgs?.TOKEN; this.storage.get("x");`;
    const files = filesOf(manifestOf(), {
      "lib/a.cjs": code,
      "node_modules/x/index.js": "fetch('https://tracker.example')",
    });
    const setup_args = Object.fromEntries(
      ["API_KEY", "TOKEN", "UNUSED"].map((name) => [
        name,
        { type: "string", required: false, input: {}, value: "" },
      ]),
    );
    const { manifest } = readPlugin(filesOf(manifestOf({ setup_args })));
    const own = { URL: { type: "string", default: "https://home.example" } };
    const { manifest: hosted } = readPlugin(filesOf(manifestOf({ setup_args: own })));
    expect(hosted.setup_args.URL!.input.default).toBe("https://home.example");
    const other = filesOf(manifestOf(), {
      "handler.mjs": 'const { URL } = this.runtimeArgs; https.get({ hostname: "x.example.org" });',
    });
    expect(proposePermissions(hosted, other)).toEqual({
      hosts: ["home.example", "x.example.org"],
      storage: false,
      secrets: ["URL"],
    });
    expect(
      proposePermissions(hosted, other, new Map([["URL", "http://nas.example:81/"]])).hosts,
    ).toEqual(["nas.example:81", "x.example.org"]);
    expect(proposePermissions(manifest, files)).toEqual({
      hosts: ["api.example.org", "other.example.org:8080"],
      storage: true,
      secrets: ["API_KEY", "TOKEN"],
    });
    const permissions = { storage: false, secrets: ["API_KEY", "GONE"] };
    const hosts = ["*.Example.net", "bücher.example", "api.example.net:443"];
    const declared = readPlugin(filesOf(manifestOf({ permissions: { ...permissions, hosts } })));
    const { permissions: read } = declared.manifest;
    expect(proposePermissions({ ...manifest, permissions: read }, files)).toEqual({
      hosts: ["*.example.net", "xn--bcher-kva.example", "api.example.net"],
      storage: false,
      secrets: ["API_KEY"],
    });
  });
});

describe("zip archives of plugins", () => {
  const zipOf = (add: (zip: JSZip) => void, options: object = {}): Promise<Buffer> => {
    const zip = new JSZip();
    add(zip);
    return zip.generateAsync({ type: "nodebuffer", platform: "UNIX", ...options });
  };
  const codeOf = async (zip: Buffer): Promise<unknown> =>
    unpackPlugin(zip).then(
      () => null,
      (fault: { code?: unknown }) => fault.code,
    );
  /** With a name that JSZip wouldn't write: another of the same length is replaced. */
  const renamed = async (from: string, to: string): Promise<Buffer> => {
    const zip = await zipOf((each) => each.file(from, "x", { createFolders: false }));
    return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
  };

  it("are read, with or without a folder around them", async () => {
    const wrapped = await zipOf((zip) => {
      zip.file("my-plugin/plugin.json", "{}").file("my-plugin/lib/a.js", "1");
      zip.file("__MACOSX/my-plugin/._plugin.json", "x").file("my-plugin/.DS_Store", "x");
    });
    const plain = await zipOf((zip) => zip.file("plugin.json", "{}").file("lib/a.js", "1"));
    for (const zip of [wrapped, plain])
      expect([...(await unpackPlugin(zip)).keys()].toSorted()).toEqual(["lib/a.js", "plugin.json"]);
  });

  it("that lead out of the plugin are refused", async () => {
    expect(await codeOf(await renamed("aa/evil.js", "../evil.js"))).toBe(
      "plugin.file-name-invalid",
    );
    expect(await codeOf(await renamed("a/evil.js", "/tmp/evil"))).toBe("plugin.file-name-invalid");
    expect(await codeOf(await renamed("aaaa.js", "a\\b\\.js"))).toBe("plugin.file-name-invalid");
  });

  it("that hold links or special files are refused", async () => {
    for (const unixPermissions of [0o120_777, 0o020_666, 0o140_777, 0o010_644])
      expect(
        await codeOf(await zipOf((zip) => zip.file("link", "/etc/passwd", { unixPermissions }))),
      ).toBe("plugin.file-not-plain");
  });

  it("that unpack to too much are refused, whatever they say", async () => {
    const bomb = await zipOf((zip) => zip.file("big", Buffer.alloc(50_000_000)), {
      compression: "DEFLATE",
    });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await codeOf(bomb)).toBe("plugin.too-large");
    const lying = Buffer.from(bomb);
    for (let at = lying.indexOf(Buffer.from([0x80, 0xf0, 0xfa, 0x02])); at >= 0;) {
      lying.writeUInt32LE(10, at);
      at = lying.indexOf(Buffer.from([0x80, 0xf0, 0xfa, 0x02]), at);
    }
    expect(await codeOf(lying)).toBe("plugin.zip-invalid");
  });

  it("with too many entries, the same name twice or no archive at all are refused", async () => {
    const many = await zipOf((zip) => {
      for (let n = 0; n < 4_001; n += 1) zip.file(`f${n}`, "");
    });
    expect(await codeOf(many)).toBe("plugin.too-many-files");
    const twice = await zipOf((zip) => zip.file("aaaa.js", "1").file("bbbb.js", "2"));
    const same = Buffer.from(twice.toString("latin1").replaceAll("bbbb.js", "aaaa.js"), "latin1");
    expect(await codeOf(same)).toBe("plugin.file-name-taken");
    for (const broken of [Buffer.from("no archive"), Buffer.alloc(0), twice.subarray(0, -30)])
      expect(await codeOf(broken)).toBe("plugin.zip-invalid");
  });
});
