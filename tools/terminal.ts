/**
 * One progress line: time and plain words. Goes to standard error, so that standard output holds
 * only the result.
 */
export function say(text: string): void {
  process.stderr.write(`${new Date().toTimeString().slice(0, 8)}  ${text}\n`);
}

/** Something a person can act on: printed without a stack, exit code 1. */
export class PlainError extends Error {
  override readonly name = "PlainError";
}

/**
 * Says what is being done; when it takes longer, a terminal sees the seconds count and a file sees
 * a line now and then.
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
