import { relative } from "node:path";
// Whatever imports it opens all standard streams, which a file would seem to leave open.
import process from "node:process";
import { TestEnvironment } from "jest-environment-node";

/** Hooks start and stop servers, which takes longer than a test on a busy machine. */
const hookTimeoutMs = 120_000;

/**
 * How long handles may take to close after a file's last hook. After a reply of several megabytes,
 * redis-parser shrinks its buffer by a tenth every 50 ms, for about three seconds.
 */
const closingMs = 5_000;

/**
 * How many handles of each kind keep the process alive; writes may be results on their way to Jest.
 */
const openHandles = () => {
  const counts = {};
  for (const kind of process.getActiveResourcesInfo())
    if (!kind.endsWith("WriteWrap")) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/**
 * Node, with a limit per kind of test (`testTimeout` of the project's environment options). Names
 * each file that leaves handles open, because Jest only says that some worker did not end.
 */
export default class LimitedEnvironment extends TestEnvironment {
  #before = openHandles();
  #file;

  constructor(config, context) {
    super(config, context);
    this.testTimeout = config.projectConfig.testEnvironmentOptions.testTimeout;
    this.#file = relative(config.globalConfig.rootDir, context.testPath);
  }

  handleTestEvent(event, state) {
    if (event.name === "setup") state.testTimeout = this.testTimeout;
    if (event.name === "hook_start") event.hook.timeout ??= hookTimeoutMs;
  }

  async teardown() {
    await super.teardown();
    const end = Date.now() + closingMs;
    let left = this.#leftOpen();
    while (left.length > 0 && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      left = this.#leftOpen();
    }
    if (left.length > 0) process.stderr.write(`${this.#file} leaves open: ${left.join(", ")}\n`);
  }

  #leftOpen() {
    return Object.entries(openHandles())
      .filter(([kind, count]) => count > (this.#before[kind] ?? 0))
      .map(([kind]) => kind);
  }
}
