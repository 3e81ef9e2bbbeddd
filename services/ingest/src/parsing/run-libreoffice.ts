import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { childEnvironment, libreOffice } from "@carrel/config";

/** Starting takes seconds; a long document a minute. */
const maxMs = 90_000;
const folderPrefix = "carrel-office-";
/** Older folders belong to conversions that were cut short. */
const oldMs = 10 * 60_000;
/** No macros, no updates of links, and every connection through a proxy that isn't there. */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${[
  ["org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"],
  ["org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"],
  ["org.openoffice.Office.Common/Security/Scripting", "DisableActiveContent", "true"],
  ["org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"],
  ["org.openoffice.Office.Writer/Content/Update", "Link", "0"],
  ["org.openoffice.Inet/Settings", "ooInetProxyType", "2"],
  ["org.openoffice.Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"],
  ["org.openoffice.Inet/Settings", "ooInetHTTPProxyPort", "9"],
  ["org.openoffice.Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"],
  ["org.openoffice.Inet/Settings", "ooInetHTTPSProxyPort", "9"],
]
  .map(
    ([at, name, value]) =>
      `<item oor:path="/${at}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join("\n")}
</oor:items>`;

/** Whether there is a LibreOffice to convert old files with. */
export const isLibreOfficeInstalled = (): boolean => isInstalled(libreOffice());

function isInstalled(program: string): boolean {
  if (path.isAbsolute(program)) return existsSync(program);
  const folders = (childEnvironment().PATH ?? "").split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, program)));
}

/** Outcome of a conversion; "missing" if LibreOffice isn't installed. */
type Converted = { bytes: Buffer } | "missing" | "failed";

/**
 * Converts an old Office file with the server's LibreOffice, in a separate folder and without
 * macros or network. Ends it, with everything that it started, after `maxMs`.
 */
export async function convertWithLibreOffice(
  bytes: Uint8Array,
  from: "doc" | "ppt",
): Promise<Converted> {
  const to = from === "doc" ? "docx" : "pptx";
  await sweepFolders();
  const folder = await mkdtemp(path.join(tmpdir(), folderPrefix));
  try {
    const file = path.join(folder, `file.${from}`);
    const profile = path.join(folder, "profile");
    await mkdir(path.join(profile, "user"), { recursive: true });
    await writeFile(path.join(profile, "user", "registrymodifications.xcu"), settings);
    await writeFile(file, bytes);
    const wasRun = await run(
      [
        `-env:UserInstallation=${pathToFileURL(profile).href}`,
        ...["--headless", "--norestore", "--nodefault", "--nolockcheck", "--nologo"],
        ...["--convert-to", to, "--outdir", path.join(folder, "out"), file],
      ],
      folder,
    );
    if (!wasRun) return "missing";
    const converted = await readFile(path.join(folder, "out", `file.${to}`)).catch(() => null);
    return converted === null ? "failed" : { bytes: converted };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Deletes what was left behind by conversions whose thread or process ended first. */
async function sweepFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(folderPrefix))) {
    const folder = path.join(tmpdir(), name);
    const changed = await stat(folder).catch(() => null);
    if (changed && changed.mtimeMs < Date.now() - oldMs)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * The command line, under the system's `timeout` where there is one: that ends the program even if
 * this thread has been terminated.
 */
const supervised = (program: string, args: string[]): [string, string[]] =>
  isInstalled("timeout")
    ? ["timeout", ["-s", "KILL", String(maxMs / 1000 + 5), program, ...args]]
    : [program, args];

/** Exit codes of `timeout` for a program that it can't run. */
const notRun = new Set<number | null>([126, 127]);

/** Runs the conversion to its end, successful or not; false if there is no such program. */
function run(args: string[], folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const proxy = "http://127.0.0.1:9";
    const child = spawn(...supervised(libreOffice(), args), {
      cwd: folder,
      env: { ...childEnvironment(), HOME: folder, http_proxy: proxy, https_proxy: proxy },
      stdio: "ignore",
      // In a separate process group, because it starts other processes.
      detached: true,
    });
    const end = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // All of them have ended.
      }
    };
    const timer = setTimeout(end, maxMs);
    child.once("error", () => {
      clearTimeout(timer);
      resolve(false);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      end();
      resolve(!notRun.has(code));
    });
  });
}
