import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./checkout.ts";
import { runCommand } from "./process.ts";
import { say, withProgress } from "./terminal.ts";

const folder = join(root, ".tools/chroma");

/**
 * Installs a real Chroma server for the tests, if its npm package has one (Linux on x64). It is too
 * large for `npm start`. Without it the Chroma tests are skipped, with a message.
 */
export async function ensureChroma(): Promise<void> {
  if (
    process.platform !== "linux" ||
    process.arch !== "x64" ||
    existsSync(join(folder, "node_modules/.package-lock.json"))
  )
    return;
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(join(root, "tools/chroma", name), join(folder, name));
  const { code, output } = await withProgress(
    "Downloading a Chroma server (for the vector database tests)",
    () =>
      runCommand(
        "npm",
        [
          "ci",
          "--prefix",
          folder,
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--loglevel=error",
        ],
        { timeoutMs: 300_000 },
      ),
  );
  if (code !== 0)
    say(
      `  couldn't download the Chroma server, skipping its tests: ${output.trim().split("\n").at(-1) ?? ""}`,
    );
}
