import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildPythonClient } from "./python-client.ts";
import { writeTypeScriptClient } from "./typescript-client.ts";

/** `./carrel clients`: updates the committed clients after docs/openapi.json changed. */
const clients = new URL("../../clients/", import.meta.url);
await writeTypeScriptClient(fileURLToPath(new URL("typescript/src/generated", clients)));
for (const [name, text] of Object.entries(buildPythonClient()))
  writeFileSync(new URL(`python/src/carrel_client/${name}`, clients), text);
