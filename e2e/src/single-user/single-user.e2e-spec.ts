import { startTestInstance, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe } from "@jest/globals";
import { Api } from "../api.ts";
import { testMalformedFields } from "../malformed-fields.ts";
import { testAgentApi } from "./agent-api.ts";
import { testAgentSocket } from "./agent-socket.ts";
import { testAgentSteps } from "./agent-steps.ts";
import { testAnswers } from "./answers.ts";
import { testBadInput } from "./bad-input.ts";
import { testBranches } from "./branches.ts";
import { testClients } from "./clients.ts";
import { testDeveloperApi } from "./developer-api.ts";
import { testFlowRuns } from "./flow-runs.ts";
import { testFollowUps } from "./follow-ups.ts";
import { testMainJob } from "./main-job.ts";
import { testMemories } from "./memories.ts";
import { testOpenAiApi } from "./openai-api.ts";
import { testQueryMode } from "./query-mode.ts";
import { testRefusedRequests } from "./refused-requests.ts";
import { testSpeech } from "./speech.ts";
import { testThreadFiles } from "./thread-files.ts";
import { testWebhooks } from "./webhooks.ts";
import { testWidgets } from "./widgets.ts";

// One instance from its first page on; each group works in its own workspaces.
describe("an instance without a login", () => {
  let started: Instance;
  const instance = (): Instance => started;
  beforeAll(async () => {
    started = await startTestInstance({ CARREL_TRASH_DAYS: "3", CARREL_MAX_UPLOAD: "200KB" });
  });
  afterAll(() => started?.stop());

  testMainJob(instance); // first: expects that nothing is configured
  testQueryMode(instance);
  testFollowUps(instance);
  testThreadFiles(instance);
  testBranches(instance);
  testWebhooks(instance);
  testFlowRuns(instance);
  testRefusedRequests(instance);
  testBadInput(instance);
  testWidgets(instance);
  testClients(instance);
  // These configure a model.
  testAnswers(instance);
  testAgentSocket(instance);
  testAgentApi(instance);
  testAgentSteps(instance);
  testMemories(instance);
  testSpeech(instance);
  testDeveloperApi(instance);
  testOpenAiApi(instance);
  // Last, because it changes settings.
  testMalformedFields("single", () => new Api(instance().url));
});
