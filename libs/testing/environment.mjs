import { TestEnvironment } from "jest-environment-node";

/** Hooks start and stop servers, which takes longer than a test on a busy machine. */
const hookTimeoutMs = 120_000;

/** Node, with a limit per kind of test (`testTimeout` of the project's environment options). */
export default class LimitedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.testTimeout = config.projectConfig.testEnvironmentOptions.testTimeout;
  }

  handleTestEvent(event, state) {
    if (event.name === "setup") state.testTimeout = this.testTimeout;
    if (event.name === "hook_start") event.hook.timeout ??= hookTimeoutMs;
  }
}
