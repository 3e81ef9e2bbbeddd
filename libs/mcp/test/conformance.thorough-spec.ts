import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");
const suite = path.join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const client = [
  process.execPath,
  `--import ${root}/tools/swc-hook.mjs`,
  "--conditions=@carrel/source",
  path.join(import.meta.dirname, "conformance-client.ts"),
].join(" ");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "carrel-mcp-conformance-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the suite's report; rejects if a check failed. */
const run = (scenario: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [suite, "client", "--command", client, "--scenario", scenario, "-o", folder],
      { cwd: folder, timeout: 60_000 },
      (error, stdout, stderr) =>
        error === null
          ? resolve(stderr + stdout)
          : reject(new Error(`${scenario}: ${stderr}${stdout}`.slice(-3_000))),
    );
  });

/** Client scenarios of @modelcontextprotocol/conformance 0.1.16 (docs/notes/mcp-conformance.md). */
const scenarios = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sse-retry",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/basic-cimd",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-step-up",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/pre-registration",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
];

describe("the official conformance suite", () => {
  it.each(scenarios)("passes %s", async (scenario) => {
    expect(await run(scenario)).toContain("OVERALL: PASSED");
  });
});
