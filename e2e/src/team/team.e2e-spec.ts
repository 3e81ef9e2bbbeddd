import { startTestInstance, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe } from "@jest/globals";
import { testChanges } from "./changes.ts";
import { testMemberRights } from "./member-rights.ts";
import { testWorkspaceSettings } from "./workspace-settings.ts";

describe("an instance of several users", () => {
  let started: Instance;
  const instance = (): Instance => started;
  beforeAll(async () => {
    started = await startTestInstance();
  });
  afterAll(() => started?.stop());

  testWorkspaceSettings(instance); // begins in single-user mode and creates the admin
  testMemberRights(instance);
  testChanges(instance);
});
