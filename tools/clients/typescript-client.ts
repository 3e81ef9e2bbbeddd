import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { isStream, readDeveloperApi } from "./developer-api.ts";

/** Generates the TypeScript client's types, methods and transport into a folder. */
export async function writeTypeScriptClient(folder: string): Promise<void> {
  const { paths, ...document } = readDeveloperApi();
  // clients/typescript/src/carrel.ts streams by hand.
  const withoutStreams = Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).filter(([, operation]) => !isStream(operation))),
    ]),
  );
  const scratch = mkdtempSync(join(tmpdir(), "carrel-clients-"));
  try {
    const input = join(scratch, "developer-api.json");
    writeFileSync(input, JSON.stringify({ ...document, paths: withoutStreams }));
    await createClient({
      input,
      output: { path: folder, module: { extension: ".ts" }, entryFile: false, clean: true },
      plugins: [
        { name: "@hey-api/client-fetch", throwOnError: true },
        "@hey-api/typescript",
        {
          name: "@hey-api/sdk",
          auth: false,
          client: false,
          paramsStructure: "flat",
          responseStyle: "data",
          operations: { strategy: "single", containerName: "CarrelApi", methods: "instance" },
        },
      ],
      logs: { level: "silent", file: false },
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
