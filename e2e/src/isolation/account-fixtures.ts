import * as c from "@carrel/contracts";
import {
  plain,
  form,
  pixel,
  freshUser,
  freshInvite,
  freshKey,
  freshSession,
  type Entry,
} from "./fixture.ts";
import { password } from "./world.ts";

export const accountFixtures: Entry[] = [
  // Sessions, modes, recovery
  [c.checkToken, plain],
  [c.refreshUser, plain],
  [c.getMultiUserMode, plain],
  [c.listSessions, plain],
  [
    c.requestToken,
    {
      ...plain,
      call: (_things, world) => ({
        body: world.mode === "multi" ? { username: "administrator", password } : { password },
      }),
    },
  ],
  [
    c.requestTokenBySignInToken,
    { ...plain, call: () => ({ query: { token: "allm-tat-unknown" } }), allowed: [401, 403, 429] },
  ],
  [
    c.confirmSession,
    { ...plain, call: () => ({ body: { password: "wrong" } }), allowed: [400, 429] },
  ],
  [c.signOut, { ...plain, call: (_things, world, caller) => freshSession(world, caller) }],
  // The caller's own session here is another one of the same person, so that the caller stays
  // signed in.
  [
    c.endSession,
    {
      names: ["session"],
      deletes: true,
      call: ({ sessionId }) => ({ params: { id: sessionId } }),
    },
  ],
  [
    c.enableMultiUser,
    { ...plain, call: () => ({ body: { username: "x", password: "x" } }), allowed: [200, 400] },
  ],
  [
    c.updatePassword,
    { ...plain, call: () => ({ body: { usePassword: true, newPassword: "short" } }) },
  ],
  [
    c.recoverAccount,
    {
      ...plain,
      call: () => ({ body: { username: "nobody-at-all", recoveryCodes: ["a", "b"] } }),
      allowed: [400, 403, 429],
    },
  ],
  [
    c.resetPassword,
    {
      ...plain,
      call: () => ({ body: { token: "x", newPassword: password, confirmPassword: password } }),
      allowed: [400, 403, 429],
    },
  ],
  [
    c.renewRecoveryCodes,
    { ...plain, call: () => ({ body: { password: "wrong" } }), allowed: [400, 429] },
  ],
  [
    c.startSecondFactor,
    { ...plain, call: () => ({ body: { password: "wrong" } }), allowed: [400, 429] },
  ],
  [
    c.confirmSecondFactor,
    { ...plain, call: () => ({ body: { code: "000000" } }), allowed: [400, 429] },
  ],
  [
    c.removeSecondFactor,
    { ...plain, call: () => ({ body: { password: "wrong" } }), allowed: [400, 429] },
  ],
  [c.getPasswordRules, plain],
  [c.startOpenId, { ...plain, allowed: [302, 403] }],
  [c.finishOpenId, { ...plain, allowed: [302, 400, 403] }],
  // Profile, users, invites
  [c.updateProfile, { ...plain, call: () => ({ body: { bio: "Reads." } }) }],
  [
    c.getProfilePicture,
    {
      ...plain,
      call: (_things, _world, caller) => ({ params: { id: caller.userId ?? 1 } }),
      allowed: [200, 204],
    },
  ],
  [
    c.uploadProfilePicture,
    { ...plain, call: () => ({ body: form("file", pixel, "me.png", "image/png") }) },
  ],
  [c.removeProfilePicture, plain],
  [c.listUsers, plain],
  [
    c.createUser,
    {
      ...plain,
      call: () => ({
        body: { username: `made-${Math.random().toString(36).slice(2, 10)}`, password },
      }),
    },
  ],
  [
    c.updateUser,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: await freshUser(world) },
        body: { bio: "Changed." },
      }),
    },
  ],
  [
    c.deleteUser,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshUser(world) } }) },
  ],
  [
    c.removeUserSecondFactor,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshUser(world) } }) },
  ],
  [
    c.getInvite,
    {
      ...plain,
      call: async (_things, world) => ({ params: { code: (await freshInvite(world)).code } }),
    },
  ],
  [
    c.acceptInvite,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { code: (await freshInvite(world)).code },
        body: { username: "x", password: "x" },
      }),
      allowed: [200, 429],
    },
  ],
  [c.listInvites, plain],
  [c.createInvite, { ...plain, call: () => ({ body: { workspaceIds: [] } }) }],
  [c.createInvites, { ...plain, call: () => ({ body: { invites: [{ label: "Anna" }] } }) }],
  [c.listInviteLimits, plain],
  [
    c.disableInvite,
    {
      ...plain,
      call: async (_things, world) => ({ params: { id: (await freshInvite(world)).id } }),
    },
  ],
  // Keys
  [c.listInstanceApiKeys, plain],
  [c.createInstanceApiKey, plain],
  [c.listApiKeys, plain],
  [c.createApiKey, plain],
  [
    c.updateInstanceApiKey,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshKey(world) } }) },
  ],
  [
    c.updateApiKey,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshKey(world) } }) },
  ],
  [
    c.deleteInstanceApiKey,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshKey(world) } }) },
  ],
  [
    c.deleteApiKey,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshKey(world) } }) },
  ],
  [c.listExtensionKeys, plain],
  [c.createExtensionKey, plain],
  [
    c.deleteExtensionKey,
    {
      names: ["extensionKey"],
      deletes: true,
      call: ({ extensionKeyId }) => ({ params: { id: extensionKeyId } }),
    },
  ],
  [c.checkExtension, plain],
  ["gateway.extension.workspaces", plain],
  [
    c.saveExtensionText,
    { ...plain, call: () => ({ body: { textContent: "Saved.", metadata: { title: "page" } } }) },
  ],
  [
    c.embedExtensionText,
    {
      names: ["workspace"],
      call: ({ workspaceId }) => ({
        body: { workspaceId, textContent: "Saved.", metadata: { title: "page" } },
      }),
    },
  ],
  [
    c.disconnectExtension,
    {
      ...plain,
      call: async (_things, world, caller) =>
        caller.kind === "extension"
          ? {
              token: (
                await world.root.json<{ apiKey: string }>("POST", "/browser-extension/api-keys/new")
              ).apiKey,
            }
          : {},
    },
  ],
];
