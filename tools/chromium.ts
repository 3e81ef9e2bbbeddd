import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { hasApt, installPackages } from "./debian.ts";
import { PlainError, withProgress } from "./terminal.ts";

/** Debian's headless shell first: it needs a third less processor time than the whole browser. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The path of the Chromium that browser tests run in; undefined if there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return (
    process.env.CARREL_CHROMIUM ??
    names
      .flatMap((name) => folders.map((folder) => join(folder, name)))
      .find((path) => existsSync(path))
  );
}

/** Installs Chromium for the browser tests: Debian's package if this user may install it. */
export async function ensureChromium(): Promise<void> {
  if (findChromium()) return;
  if (!(await hasApt()))
    throw new PlainError(
      "The browser tests need Chromium, which isn't installed.\nWhat to do: install it with your system's package manager, then run the same command again.",
    );
  if (process.getuid?.() !== 0)
    throw new PlainError(
      'The browser tests need Chromium, and only root can install Debian\'s package.\nWhat to do: ask root for "apt-get install chromium-headless-shell", then run the same command again.',
    );
  await withProgress("Installing Chromium from Debian's packages (for the browser tests)", () =>
    installPackages(["chromium-headless-shell"], "Chromium"),
  );
  if (!findChromium()) throw new PlainError("Chromium was installed but is not on the PATH.");
}
