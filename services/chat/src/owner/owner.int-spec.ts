import { instancePrincipal } from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { OwnerScopes } from "./owner.module.ts";

let chat: ChatInstance;
let owners: OwnerScopes;
beforeAll(async () => {
  chat = await ChatInstance.start();
  owners = new OwnerScopes(chat.shared.messaging.client);
});
afterAll(() => chat.stop());
beforeEach(() => {
  chat.fixture.hasAccounts = true;
});

it("finds the one person of an instance without accounts", async () => {
  chat.fixture.hasAccounts = false;
  const { workspace } = chat.addWorkspace();
  expect(await owners.find(null, workspace.id)).toEqual({
    scope: { principal: instancePrincipal, workspace },
    fault: null,
  });
  expect(await owners.find(5, null)).toEqual({ scope: null, fault: { code: "owner.missing" } });
});

it("has the role, the limit, the language and the workspaces that an owner has now", async () => {
  const { workspace } = chat.addWorkspace();
  chat.fixture.dailyLimits.set(1, 7).set(2, 7);
  chat.fixture.admins.add(2);
  chat.fixture.languages.set(1, "da");
  chat.fixture.members.set(workspace.id, new Set([1]));
  expect((await owners.find(1, workspace.id)).scope).toEqual({
    principal: {
      kind: "user",
      userId: 1,
      role: "default",
      dailyMessageLimit: 7,
      language: "da",
    },
    workspace,
    language: "da",
  });
  expect((await owners.find(2, workspace.id)).scope?.principal).toEqual({
    kind: "user",
    userId: 2,
    role: "admin",
  });
  chat.fixture.members.get(workspace.id)!.delete(1);
  expect((await owners.find(1, workspace.id)).fault).toEqual({ code: "owner.workspace-missing" });
  expect((await owners.find(1, null)).fault).toBeNull();
  expect((await owners.find(2, 999_999)).fault).toEqual({ code: "owner.workspace-missing" });
});

it("says why there are none", async () => {
  chat.fixture.suspended.add(3);
  chat.fixture.deletedUsers.add(4);
  const faults = await Promise.all([3, 4, null].map((id) => owners.find(id, null)));
  expect(faults.map(({ fault }) => fault?.code)).toEqual([
    "owner.suspended",
    "owner.missing",
    "owner.missing",
  ]);
});
