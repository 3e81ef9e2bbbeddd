import { startTestInstance, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe } from "@jest/globals";
import { testMalformedFields } from "../malformed-fields.ts";
import { Access } from "./access.ts";
import { testAgentCookie } from "./agent-cookie.ts";
import { testEventLog } from "./event-log.ts";
import { testInvites } from "./invites.ts";
import { testKeys } from "./keys.ts";
import { testLoginThrottle } from "./login-throttle.ts";
import { testProfilePicture } from "./profile-picture.ts";
import { testRecovery } from "./recovery.ts";
import { testSignIn } from "./sign-in.ts";
import { testUsers } from "./users.ts";

// One instance from its first page on: each group continues from the state the previous ones left.
describe("access for clients of the wire", () => {
  const access = new Access();
  let instance: Instance;
  beforeAll(async () => {
    instance = await startTestInstance({ SIMPLE_SSO_ENABLED: "1" });
    access.url = instance.url;
  });
  afterAll(() => instance?.stop());

  testSignIn(access);
  testUsers(access);
  testRecovery(access);
  testInvites(access);
  testKeys(access);
  testEventLog(access); // before hundreds of sign-ins fill its first page
  testAgentCookie(access);
  // Its failed sign-ins leave this address none for a while.
  testLoginThrottle(access);
  testProfilePicture(access);
  // Last, because it changes settings; with an unknown id, to keep the admin.
  testMalformedFields("multi", () => access.admin, { id: "999999", userId: "999999" });
});
