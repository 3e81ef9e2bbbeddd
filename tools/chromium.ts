import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { hasApt, installPackages } from "./debian.ts";
import { PlainError, withProgress } from "./terminal.ts";

/** Debian's headless shell first: it needs a third less processor time than the whole browser. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The headless shell has no extensions, and Chrome loads none that a command line names. */
const withExtensions = ["chromium", "chromium-browser"];

function findOnPath(programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** The path of the Chromium that browser tests run in; undefined if there is none. */
export const findChromium = (): string | undefined =>
  process.env.CARREL_CHROMIUM ?? findOnPath(names);

/** Installs Chromium for the browser tests. */
export async function ensureChromium(): Promise<void> {
  if (!findChromium()) await install("chromium-headless-shell");
  if (!findChromium()) throw notFound();
}

/** The path of a Chromium that can load an extension; installs it if there is none. */
export async function ensureChromiumWithExtensions(): Promise<string> {
  if (!findOnPath(withExtensions)) await install("chromium");
  const path = findOnPath(withExtensions);
  if (path === undefined) throw notFound();
  return path;
}

const notFound = (): PlainError => new PlainError("Chromium was installed but is not on the PATH.");

/** Debian's package, if this user may install it. */
async function install(name: string): Promise<void> {
  if (!(await hasApt()))
    throw new PlainError(
      "The browser tests need Chromium, which isn't installed.\nWhat to do: install it with your system's package manager, then run the same command again.",
    );
  if (process.getuid?.() !== 0)
    throw new PlainError(
      `The browser tests need Chromium, and only root can install Debian's package.\nWhat to do: ask root for "apt-get install ${name}", then run the same command again.`,
    );
  await withProgress("Installing Chromium from Debian's packages (for the browser tests)", () =>
    installPackages([name], "Chromium"),
  );
}
