import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { getDocumentText, listDocumentStatuses } from "@carrel/contracts";
import {
  freePort,
  startOpenIdProvider,
  TestBrowser,
  type TestOpenIdProvider,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestInstance, type TestInstance } from "../wire/instance.ts";

const program = process.env.CARREL_MCP_INSPECTOR ?? "mcp-inspector";
const isHere = spawnSync(program, ["--cli", "--version"], { timeout: 30_000 }).status === 0;
const group = "the official inspector";
const reason = `${group} (skipped: not installed; npm install -g @modelcontextprotocol/inspector, or its path in CARREL_MCP_INSPECTOR)`;
if (!isHere) process.stderr.write(`${reason}\n`);

const documentId = "11111111-2222-4333-8444-555555555555";
const text = "The pump runs at 48 °C.";
const password = "a password of the tests";

(isHere ? describe : describe.skip)(isHere ? group : reason, () => {
  let provider: TestOpenIdProvider;
  let instance: TestInstance;
  let address: string;
  let key: string;
  const home = mkdtempSync(path.join(tmpdir(), "carrel-mcp-inspector-"));

  beforeAll(async () => {
    provider = await startOpenIdProvider({ people: { mia: { preferred_username: "mia" } } });
    const url = `http://127.0.0.1:${await freePort()}`;
    address = `${url}/api/mcp`;
    instance = await startTestInstance({
      ...provider.environment,
      CARREL_PORT: new URL(url).port,
      CARREL_PUBLIC_URL: url,
      CARREL_MCP_OAUTH: "1",
    });
    provider.redirectUris.add(`${url}/api/auth/openid/callback`);
    provider.resources.set(address, "carrel:read carrel:chat");
    const admin = { username: "the-admin", password };
    await instance.call("POST", "/api/system/enable-multi-user", admin);
    const { json: session } = await instance.call("POST", "/api/request-token", admin);
    const headers = { authorization: `Bearer ${(session as { token: string }).token}` };
    await instance.call("POST", "/api/workspace/new", { name: "Papers" }, headers);
    const made = await instance.call("POST", "/api/admin/generate-api-key", {}, headers);
    key = (made.json as { apiKey: { secret: string } }).apiKey.secret;
    instance.ingest
      .answer(listDocumentStatuses, {
        documents: [
          {
            documentId,
            docpath: null,
            title: "a.txt",
            state: "embedded",
            reason: null,
            progress: 1,
            chunksDone: 1,
            chunksTotal: 1,
            bytes: 23,
            pages: 1,
            wordCount: 6,
            mime: "text/plain",
            addedAt: "2026-11-21T00:00:00.000Z",
            hasOriginal: true,
          },
        ],
        total: 1,
        nextCursor: null,
        passages: 1,
      })
      .answer(getDocumentText, {
        title: "a.txt",
        mime: "text/plain",
        text,
        start: 0,
        end: text.length,
        length: text.length,
        pages: 1,
        page: 1,
        lines: null,
        headingPath: [],
        rectangles: [],
        pageSize: null,
        originalUrl: null,
      });
  });
  afterAll(async () => {
    await instance?.stop();
    await provider?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Its output as JSON; `onOutput` sees everything it writes. */
  async function inspect(
    args: string[],
    onOutput: (output: string) => void = () => undefined,
  ): Promise<unknown> {
    const child = spawn(program, ["--cli", address, "--transport", "http", ...args], {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        // Without a terminal, it signs in only so; `true` is the browser that does nothing.
        MCP_AUTO_OPEN_ENABLED: "true",
        BROWSER: "true",
        MCP_INSPECTOR_SECRET_STORE: "memory",
      },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 60_000,
    });
    let [output, all] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => onOutput((all += part.toString())));
    const code = await new Promise((resolve) => child.on("close", resolve));
    if (code !== 0) throw new Error(`exit code ${String(code)}: ${all.slice(-3_000)}`);
    return JSON.parse(output.slice(output.indexOf("{")));
  }
  const withKey = (...args: string[]) =>
    inspect(["--header", `Authorization: Bearer ${key}`, ...args]);

  it.each(["legacy", "auto", "modern"])("lists tools in the %s protocol", async (era) => {
    const listed = await withKey("--protocol-era", era, "--method", "tools/list");
    const names = (listed as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names).toEqual(["list_workspaces", "search", "ask", "list_documents", "read_document"]);
  });

  it("finds no errors in the schemas of the tools", async () => {
    await withKey("--method", "tools/list", "--strict");
  });

  it("calls tools, and lists and reads resources", async () => {
    const call = ["--method", "tools/call", "--tool-name"];
    expect(await withKey(...call, "list_workspaces")).toMatchObject({
      structuredContent: { workspaces: [{ slug: "papers" }] },
    });
    const read = ["--tool-arg", "workspace=papers", `documentId=${documentId}`];
    expect(await withKey(...call, "read_document", ...read)).toMatchObject({
      structuredContent: { text },
    });
    const uri = `carrel://papers/${documentId}`;
    expect(await withKey("--method", "resources/list")).toMatchObject({ resources: [{ uri }] });
    expect(await withKey("--method", "resources/read", "--uri", uri)).toMatchObject({
      contents: [{ text }],
    });
    expect(await withKey("--method", "resources/templates/list")).toMatchObject({
      resourceTemplates: [expect.anything()],
    });
  });

  it("signs a person in", async () => {
    const browser = new TestBrowser();
    const begun = await browser.get(`${instance.url}/api/auth/openid/start`);
    const back = await browser.signInAtProvider(begun.headers.get("location")!, "mia");
    await browser.get(back);
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
    provider.redirectUris.add(callback);
    let isAsked = false;
    const listed = await inspect(
      [
        ...["--client-id", provider.mcpClientId, "--callback-url", callback],
        ...["--method", "tools/call", "--tool-name", "list_workspaces"],
      ],
      (output) => {
        const page = new RegExp(`${provider.url}/auth\\?\\S+`).exec(output)?.[0];
        if (page === undefined || isAsked) return;
        isAsked = true;
        void new TestBrowser().signInAtProvider(page, "mia").then((returned) => fetch(returned));
      },
    );
    // Nobody has added her to a workspace.
    expect(listed).toMatchObject({ structuredContent: { workspaces: [] } });
  });
});
