import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import {
  endpoints,
  instancePrincipal,
  isRecentlyProven,
  proofLifetimeMs,
  type Access,
  type Endpoint,
} from "./index.ts";

const bySession: ReadonlySet<string> = new Set(["session", "manager", "admin"]);
const writes = endpoints.filter(
  ({ access, method, changesState }) =>
    bySession.has(access.who) && (method !== "GET" || changesState === true),
);

/** Fields in bodies and replies that grant or control access. */
const isPowerful = (field: string): boolean =>
  /password|secret|(token|api_?key)$|^(role|scopes|email)$/i.test(field);

/** All field names in a JSON schema. */
function listFields(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(listFields);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === "properties" ? Object.keys(value as object) : []),
    ...listFields(value),
  ]);
}
const fieldsOf = (schema: z.ZodType, io: "input" | "output"): string[] =>
  listFields(z.toJSONSchema(schema, { io, unrepresentable: "any" }));

/**
 * Whether a stolen session might make itself permanent through this route, judging by its fields.
 */
const needsDeclaration = ({ operation, input, output }: Endpoint): boolean =>
  operation.service === "auth" ||
  [...fieldsOf(input, "input"), ...fieldsOf(output, "output")].some(isPowerful);

const listWith = (proof: Access["proof"]): string[] =>
  writes.filter(({ access }) => access.proof === proof).map(({ name }) => name);

describe("proof of who uses a session", () => {
  it("is decided for every write that could give lasting access", () => {
    const undecided = writes.filter(
      (route) => needsDeclaration(route) && route.access.proof === undefined,
    );
    expect(undecided.map(({ name }) => name)).toEqual([]);
    // If it found no such fields, the check above would pass without testing anything.
    expect(writes.filter(needsDeclaration).length).toBeGreaterThan(30);
  });

  it("is due for what outlives the session", () => {
    expect(listWith("recent")).toEqual([
      "auth.key.create-instance",
      "auth.key.update-instance",
      "auth.key.create",
      "auth.key.update",
      "auth.extension-key.create",
      "auth.invite.create",
      "auth.invite.create-many",
      "auth.user.create",
      "auth.user.delete",
      "auth.user.remove-second-factor",
      "workspace.webhook.create",
      "workspace.webhook.update",
      "workspace.webhook.rotate-secret",
      "workspace.widget.create-secret",
      "chat.credential.create",
      "chat.credential.replace-value",
      "chat.credential.update-hosts",
      "chat.flow-trigger.set",
      "chat.flow-trigger.rotate-secret",
      "chat.mcp-server.add",
      "chat.mcp-server.update",
      "chat.mcp-server.import",
      "chat.schedule.rotate-secret",
      "chat.schedule.allow-call",
      "chat.plugin.confirm",
    ]);
    expect(listWith("handler")).toEqual([
      "auth.mode.enable-multi-user",
      "auth.password.update",
      "auth.recovery.renew",
      "auth.second-factor.start",
      "auth.second-factor.remove",
      "auth.profile.update",
      "auth.session.confirm",
      "auth.user.update",
      "chat.flow.create",
      "chat.flow.update",
      "chat.flow.save-legacy",
      "chat.schedule.create",
      "chat.schedule.update",
      "chat.plugin.set-arguments",
      "chat.plugin.configure-legacy",
      "connectors.hub.apply",
      "connectors.hub.import",
      "connectors.hub.update-settings",
      "connectors.hub.update-settings-legacy",
    ]);
  });

  it("is asked of sessions only", () => {
    const marked = endpoints.filter(({ access }) => access.proof !== undefined);
    expect(marked.filter(({ access }) => !bySession.has(access.who))).toEqual([]);
  });

  it("counts for ten minutes, and fails closed", () => {
    const sessionId = "6c8f4a1e-58a4-4a5c-9d28-2d7c7c0d7f01";
    const user = { kind: "user", userId: 1, role: "admin", sessionId } as const;
    const ago = (ms: number): number => Date.now() - ms;
    expect(proofLifetimeMs).toBe(600_000);
    for (const session of [user, { ...instancePrincipal, sessionId }]) {
      expect(isRecentlyProven({ ...session, provenAt: ago(590_000) })).toBe(true);
      expect(isRecentlyProven({ ...session, provenAt: ago(600_001) })).toBe(false);
      expect(isRecentlyProven(session)).toBe(false);
    }
    expect(isRecentlyProven(instancePrincipal)).toBe(true);
    expect(isRecentlyProven({ kind: "key", userId: null, role: "admin", keyId: 1 })).toBe(true);
  });
});
