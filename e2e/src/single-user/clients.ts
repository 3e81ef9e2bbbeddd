import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { pythonProgram, type PythonProgram } from "../../../tools/python-program.ts";
import { Api } from "../api.ts";

const clients = resolve(import.meta.dirname, "../../../clients");
const run = promisify(execFile);

/** The examples in clients/, answered by quoting: no model is configured yet. */
export function testClients(instance: () => Instance): void {
  describe("the clients", () => {
    let env: NodeJS.ProcessEnv;
    let python: PythonProgram;
    beforeAll(async () => {
      python = await pythonProgram();
      const api = new Api(instance().url);
      const { apiKey } = await api.json<{ apiKey: { secret: string } }>(
        "POST",
        "/system/generate-api-key",
        {},
      );
      env = { PATH: process.env.PATH, CARREL_URL: api.url, CARREL_API_KEY: apiKey.secret };
    }, 240_000); // a new machine downloads httpx

    const answer = /three months[^]*\nSource: Lease/;

    it("for TypeScript answers a question in ten lines", async () => {
      const example = join(clients, "typescript/examples/ask.ts");
      const { stdout } = await run(process.execPath, ["--conditions=@carrel/source", example], {
        env,
      });
      expect(stdout).toMatch(answer);
    });

    const runPython = async (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
      run(python.path, args, {
        env: {
          ...env,
          PYTHONPATH: [join(clients, "python/src"), python.modules].join(":"),
          PYTHONDONTWRITEBYTECODE: "1",
        },
      });

    it("for Python answers a question in ten lines", async () => {
      const { stdout } = await runPython(join(clients, "python/examples/ask.py"));
      expect(stdout).toMatch(answer);
    });

    // Tested here because Python is available here.
    it("for Python passes its own tests", async () => {
      const tests = join(clients, "python/tests");
      const { stderr } = await runPython("-m", "unittest", "discover", "-s", tests);
      expect(stderr).toMatch(/Ran [1-9]\d* tests[^]*\nOK/);
    });
  });
}
