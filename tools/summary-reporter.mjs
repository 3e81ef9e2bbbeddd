// Jest reporter: adds this run's figures to the file that `./carrel test` sums up.
import { appendFileSync } from "node:fs";

export default class SummaryReporter {
  constructor(_globalConfig, options) {
    this.file = options.file;
  }
  onRunComplete(_contexts, results) {
    const broken = results.testResults.filter(
      (one) => one.testExecError || (one.failureMessage && one.numFailingTests === 0),
    );
    const failures = results.testResults.flatMap((one) =>
      one.testResults
        .filter((test) => test.status === "failed")
        .map((test) => `${one.testFilePath}: ${test.fullName}`),
    );
    const skipped = results.testResults.flatMap((one) =>
      one.testResults
        .filter((test) => ["pending", "skipped", "todo", "disabled"].includes(test.status))
        .map((test) => `${one.testFilePath}: ${test.fullName}`),
    );
    const unsteady = results.testResults.flatMap((one) =>
      one.testResults
        .filter((test) => test.status === "passed" && test.invocations > 1)
        .map((test) => `${one.testFilePath}: ${test.fullName}`),
    );
    appendFileSync(
      this.file,
      `${JSON.stringify({
        passed: results.numPassedTests,
        // A file that could not run at all is one failure.
        failed: results.numFailedTests + broken.length,
        failures: [
          ...failures,
          ...broken.map((one) => `${one.testFilePath}: the file could not run`),
        ],
        skipped,
        unsteady,
      })}\n`,
    );
  }
}
