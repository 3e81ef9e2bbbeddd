import { findProgram, hasApt, installPackages } from "./debian.ts";
import { PlainError, withProgress } from "./terminal.ts";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The path of an installed Chromium, or null. */
async function chromiumPath(): Promise<string | null> {
  for (const name of names) {
    const found = await findProgram(name);
    if (found) return found;
  }
  return null;
}

/** Installs Chromium for the browser tests: Debian's package if this user may install it. */
export async function ensureChromium(): Promise<string> {
  const found = await chromiumPath();
  if (found) return found;
  if (!(await hasApt()))
    throw new PlainError(
      "The browser tests need Chromium, and this machine has none.\nWhat to do: install it with your system's package manager, then run the same command again.",
    );
  if (process.getuid?.() !== 0)
    throw new PlainError(
      'The browser tests need Chromium, and only root can install Debian\'s package.\nWhat to do: ask root for "apt-get install chromium", then run the same command again.',
    );
  await withProgress("Installing Chromium from Debian's packages (for the browser tests)", () =>
    installPackages(["chromium"], "Chromium"),
  );
  const installed = await chromiumPath();
  if (!installed) throw new PlainError("Chromium was installed but is not on the PATH.");
  return installed;
}
