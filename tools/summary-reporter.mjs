// Jest reporter: adds this run's figures to the file that `./carrel test` summarizes.
import { appendFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** The first lines of an error. */
const reasonOf = (message) =>
  stripVTControlCharacters(message ?? "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 12)
    .map((line) => `\n      ${line}`)
    .join("");

export default class SummaryReporter {
  constructor(_globalConfig, options) {
    this.file = options.file;
  }
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter(
      (one) => one.testExecError || (one.failureMessage && one.numFailingTests === 0),
    );
    const named = (statuses) =>
      results.testResults.flatMap((one) =>
        one.testResults
          .filter((test) => statuses.includes(test.status))
          .map(
            (test) => `${one.testFilePath}: ${test.fullName}${reasonOf(test.failureMessages?.[0])}`,
          ),
      );
    appendFileSync(
      this.file,
      `${JSON.stringify({
        passed: results.numPassedTests,
        // A file that could not run at all counts as one failure.
        failed: results.numFailedTests + broken.length,
        failures: [
          ...named(["failed"]),
          ...broken.map(
            (one) => `${one.testFilePath}: the file could not run${reasonOf(one.failureMessage)}`,
          ),
        ],
        skipped: named(["pending", "skipped", "todo", "disabled"]),
        files: results.testResults.map(({ testFilePath, perfStats }) => ({
          file: testFilePath,
          milliseconds: perfStats.end - perfStats.start,
        })),
      })}\n`,
    );
  }
}
