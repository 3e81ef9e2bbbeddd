// Tests against real servers and browsers have a second try; the summary names each that needed it
// (docs/decisions/testing.md).
import { jest } from "@jest/globals";

jest.retryTimes(Number(process.env.CARREL_TEST_RETRIES ?? 0), { logErrorsBeforeRetry: true });
