/**
 * Prints one progress line with the time to standard error, so that standard output contains only
 * the result.
 */
export function say(text: string): void {
  process.stderr.write(`${new Date().toTimeString().slice(0, 8)}  ${text}\n`);
}

/** An error that a person can act on: printed without a stack, exit code 1. */
export class PlainError extends Error {
  override readonly name = "PlainError";
}

/** Says why the command failed, and ends the process. */
export function exitWith(command: string, error: unknown): never {
  if (error instanceof PlainError) {
    const [first = "", ...rest] = error.message.split("\n");
    say(first);
    for (const line of rest) process.stderr.write(`          ${line}\n`);
  } else if (error instanceof Error && error.name === "ConfigError") {
    // It has listed the faults already. By name, because a bundle has its own copy of the class.
    say("Correct these variables (docs/configuration.md), then run the same command again.");
  } else {
    say(`${command} failed`);
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  }
  process.exit(1);
}

/**
 * Reports progress: a slow step counts seconds in a terminal, and adds a line now and then to a
 * file.
 */
export async function withProgress<T>(text: string, run: () => Promise<T>): Promise<T> {
  say(text);
  const begun = Date.now();
  let shown = false;
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - begun) / 1000);
    if (process.stderr.isTTY) {
      shown = true;
      process.stderr.write(`\r          ${seconds} s `);
    } else if (seconds % 20 === 0) say(`  … ${seconds} s`);
  }, 1000);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    if (shown) process.stderr.write("\r                    \r");
  }
}
