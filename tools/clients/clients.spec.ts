import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "@jest/globals";
import { buildPythonClient } from "./python-client.ts";
import { writeTypeScriptClient } from "./typescript-client.ts";

const clients = resolve(import.meta.dirname, "../../clients");
const read = (folder: string): Record<string, string> =>
  Object.fromEntries(
    globSync("**/*.ts", { cwd: folder }).map((file) => [
      file,
      readFileSync(join(folder, file), "utf8"),
    ]),
  );

it("the TypeScript client is up to date (./carrel clients)", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "carrel-client-"));
  try {
    await writeTypeScriptClient(scratch);
    const generated = read(scratch);
    expect(Object.keys(generated).length).toBeGreaterThan(5);
    expect(read(join(clients, "typescript/src/generated"))).toEqual(generated);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

it("the Python client is up to date (./carrel clients)", () => {
  for (const [name, text] of Object.entries(buildPythonClient()))
    expect(readFileSync(join(clients, "python/src/carrel_client", name), "utf8")).toBe(text);
});

it.each(["typescript/LICENSE", "python/LICENSE"])("%s is Carrel's", (file) => {
  const license = readFileSync(resolve(clients, "../LICENSE"), "utf8");
  expect(readFileSync(join(clients, file), "utf8")).toBe(license);
});
