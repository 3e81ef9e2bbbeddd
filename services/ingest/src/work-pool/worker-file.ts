import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The program of the threads that parse. They inherit the process's flags, so when running from
 * source they use its loader. `tools/bundle.ts` replaces this by the bundled program.
 */
export const workerFile = fileURLToPath(
  new URL(`./worker${path.extname(import.meta.url)}`, import.meta.url),
);
