import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./checkout.ts";
import { findProgram, hasApt, installPackages, unpackPackages } from "./debian.ts";
import { withFileLock } from "./file-lock.ts";
import { runCommand } from "./process.ts";
import { PlainError, withProgress } from "./terminal.ts";

export interface PythonProgram {
  path: string;
  /** For PYTHONPATH; empty if Python finds its modules itself. */
  modules: string;
}

const tools = join(root, ".tools");
const folder = join(tools, "python");
const unpacked = join(folder, "usr/lib/python3/dist-packages");
const debian = "/usr/bin/python3";

/** What the Python client needs. */
async function hasHttpx({ path, modules }: PythonProgram): Promise<boolean> {
  const check = ["-c", "import sys, httpx; sys.exit(sys.version_info < (3, 11))"];
  const env = { ...process.env, PYTHONPATH: modules };
  return (await runCommand(path, check, { env })).code === 0;
}

async function findUsable(): Promise<PythonProgram | null> {
  const system = await findProgram("python3");
  const candidates = [
    ...(system === null ? [] : [{ path: system, modules: "" }]),
    ...(existsSync(debian) ? [{ path: debian, modules: "" }] : []),
    ...(existsSync(debian) && existsSync(unpacked) ? [{ path: debian, modules: unpacked }] : []),
  ];
  for (const candidate of candidates) if (await hasHttpx(candidate)) return candidate;
  return null;
}

/**
 * A Python that can run the Python client: the machine's, or Debian's with the missing modules
 * unpacked under `.tools`.
 */
export async function pythonProgram(): Promise<PythonProgram> {
  const found = await findUsable();
  if (found !== null) return found;
  mkdirSync(tools, { recursive: true });
  return withFileLock(
    join(tools, "python.lock"),
    async () => (await findUsable()) ?? (await unpack()),
  );
}

async function unpack(): Promise<PythonProgram> {
  const advice =
    "The Python client's test needs Python 3.11 or newer with httpx.\nWhat to do: install both, then run the same command again.";
  if (!(await hasApt())) throw new PlainError(advice);
  await withProgress(
    "Downloading httpx from Debian's packages (for the Python client)",
    async () => {
      if (!existsSync(debian)) {
        if (process.getuid?.() !== 0) throw new PlainError(advice);
        await installPackages(["python3"], "Python");
      }
      await unpackPackages(["python3-httpx"], "httpx", folder, /^python3-/);
    },
  );
  const program = { path: debian, modules: unpacked };
  if (!(await hasHttpx(program))) throw new PlainError(advice);
  return program;
}
