import { appendFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase, TestError } from "@playwright/test/reporter";

/** The first lines of a test's last error, and where it was thrown. */
function reasonOf({ results }: TestCase): string {
  const error = results.at(-1)?.errors[0];
  const lines = stripVTControlCharacters(error?.message ?? "no error").split("\n");
  const at = error?.location;
  return [...lines.slice(0, 12), ...(at ? [`at ${at.file}:${at.line}`] : [])]
    .filter((line) => line.trim() !== "")
    .map((line) => `\n      ${line}`)
    .join("");
}

/** Adds this run's figures to the file that `./carrel test` summarizes. */
export default class SummaryReporter implements Reporter {
  private readonly file: string;
  private suite: Suite | undefined;
  private readonly faults: string[] = [];

  constructor(options: { file: string }) {
    this.file = options.file;
  }

  printsToStdio(): boolean {
    return false;
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.suite = suite;
  }

  /** An error outside any test, such as a file that cannot be loaded. */
  onError(error: TestError): void {
    this.faults.push(`browser tests: ${(error.message ?? "unknown error").split("\n")[0]}`);
  }

  onEnd(): void {
    const tests = this.suite?.allTests() ?? [];
    const named = (test: TestCase): string =>
      `${test.location.file}: ${test.titlePath().slice(3).join(" ")}`;
    const failed = tests.filter((test) => test.outcome() === "unexpected");
    const milliseconds = new Map<string, number>();
    for (const { location, results } of tests)
      for (const { duration } of results)
        milliseconds.set(location.file, (milliseconds.get(location.file) ?? 0) + duration);
    appendFileSync(
      this.file,
      `${JSON.stringify({
        passed: tests.filter((test) => test.outcome() === "expected").length,
        failed: failed.length + this.faults.length,
        failures: [...failed.map((test) => named(test) + reasonOf(test)), ...this.faults],
        skipped: tests.filter((test) => test.outcome() === "skipped").map(named),
        files: [...milliseconds].map(([file, duration]) => ({ file, milliseconds: duration })),
      })}\n`,
    );
  }
}
