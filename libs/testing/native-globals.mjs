// What `@jest/globals` exports, for tests that run in native-runtime.mjs.
import { ModuleMocker } from "jest-mock";

const mocker = new ModuleMocker(globalThis);

export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test;

/** Each file gets its own framework, which modules loaded before it see as well. */
export function setGlobals(globals) {
  Object.assign(globalThis, globals);
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
}

export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  setTimeout: (milliseconds) => {
    globalThis[Symbol.for("TEST_TIMEOUT_SYMBOL")] = milliseconds;
  },
};
