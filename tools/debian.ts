// Finds and installs the Debian packages that Carrel uses.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand, type CommandResult } from "./process.ts";
import { PlainError } from "./terminal.ts";

/** A program's path, or null if it is not on the PATH. */
export async function findProgram(name: string): Promise<string | null> {
  const { code, output } = await runCommand("sh", ["-c", 'command -v "$1"', "sh", name]);
  return code === 0 ? output.trim() : null;
}

export const hasApt = async (): Promise<boolean> =>
  (await findProgram("apt-get")) !== null && (await findProgram("dpkg")) !== null;

/** The lines of apt's or dpkg's output that say which download failed and why. */
function reasonOf(result: CommandResult): string {
  const lines = result.output
    .split("\n")
    .filter((line) =>
      /^(E|Err):|^Err:|Temporary failure|Could not|Unable to|404/.test(line.trim()),
    );
  return (lines.length > 0 ? lines : result.output.trimEnd().split("\n").slice(-4))
    .slice(0, 6)
    .map((line) => `  ${line.trim()}`)
    .join("\n");
}

function failed(what: string, result: CommandResult): PlainError {
  return new PlainError(
    `Couldn't download ${what} from Debian's packages:\n${reasonOf(result)}\nWhat to do: check that this machine can reach its Debian mirror, then run the same command again. It continues from here.`,
  );
}

/** Installs packages system-wide (root only). RUNLEVEL=1 keeps their services from starting. */
export async function installPackages(names: string[], what: string): Promise<void> {
  const env = { ...process.env, RUNLEVEL: "1", DEBIAN_FRONTEND: "noninteractive" };
  const install = () =>
    runCommand("apt-get", ["install", "-y", "--no-install-recommends", ...names], { env });
  if ((await install()).code === 0) return;
  await runCommand("apt-get", ["update"], { env }); // package lists are missing or outdated
  const second = await install();
  if (second.code !== 0) throw failed(what, second);
}

/**
 * Downloads packages with the dependencies that this machine lacks and unpacks them below a folder,
 * without root and without changing the system. `dependencies`: which of their dependencies to
 * include. Returns the folder's library path for LD_LIBRARY_PATH.
 */
export async function unpackPackages(
  names: string[],
  what: string,
  folder: string,
  dependencies = /^lib|^redis/,
): Promise<string> {
  const archives = join(folder, "archives");
  mkdirSync(archives, { recursive: true });
  let options: string[] = [];
  if ((await runCommand("apt-cache", ["show", names[0]!])).code !== 0) {
    // Package lists are missing (or only root may refresh them): use private ones.
    const lists = join(folder, "lists");
    mkdirSync(join(lists, "partial"), { recursive: true });
    mkdirSync(join(folder, "cache", "partial"), { recursive: true });
    options = [
      "-o",
      `Dir::State::lists=${lists}`,
      "-o",
      `Dir::Cache=${join(folder, "cache")}`,
      "-o",
      "APT::Sandbox::User=",
    ];
    const update = await runCommand("apt-get", [...options, "update"]);
    if (update.code !== 0) throw failed(what, update);
  }
  const tree = await runCommand("apt-cache", [
    ...options,
    "depends",
    "--recurse",
    "--no-recommends",
    "--no-suggests",
    "--no-conflicts",
    "--no-breaks",
    "--no-replaces",
    "--no-enhances",
    ...names,
  ]);
  const all = [
    ...new Set(
      tree.output
        .split("\n")
        .filter((line) => /^[a-z0-9]/.test(line))
        .map((line) => line.trim()),
    ),
  ];
  const installed = new Set(
    (await runCommand("dpkg-query", ["-W", "-f", "${db:Status-Abbrev} ${Package}\n"])).output
      .split("\n")
      .filter((line) => line.startsWith("ii"))
      .map((line) => line.slice(2).trim()),
  );
  const missing = all.filter(
    (name) => names.includes(name) || (!installed.has(name) && dependencies.test(name)),
  );
  const download = (...packages: string[]): Promise<CommandResult> =>
    runCommand("apt-get", [...options, "download", ...packages], { cwd: archives });
  // All at once where possible: apt-get rereads its package lists each time.
  const together = await download(...missing);
  for (const name of together.code === 0 ? [] : missing) {
    const present = readdirSync(archives).some((file) => file.startsWith(`${name}_`));
    const fetched = present ? null : await download(name);
    // A virtual alternative (libelogind0 for libsystemd0) may not exist; only the requested
    // packages must.
    if (fetched && fetched.code !== 0 && names.includes(name))
      throw failed(`${what} (package ${name})`, fetched);
  }
  for (const file of readdirSync(archives)) {
    const unpacked = await runCommand("dpkg", ["-x", join(archives, file), folder]);
    if (unpacked.code !== 0) {
      rmSync(join(archives, file));
      throw failed(`${what} (package ${file})`, unpacked);
    }
  }
  const triplet = (await runCommand("dpkg-architecture", ["-qDEB_HOST_MULTIARCH"])).output.trim();
  return ["usr/lib", "lib"]
    .flatMap((base) =>
      existsSync(join(folder, base))
        ? readdirSync(join(folder, base))
            .filter((name) => name === triplet || /-linux-gnu/.test(name))
            .map((name) => join(folder, base, name))
        : [],
    )
    .join(":");
}
