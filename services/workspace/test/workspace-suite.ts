import { randomUUID } from "node:crypto";
import {
  createWorkspace,
  listEvents,
  updateMembers,
  type Principal,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { afterAll, beforeEach } from "@jest/globals";
import {
  person,
  scopeOf,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

export const admin = person(1, "admin");
export const manager = person(2, "manager");
export const member = person(3);
export const stranger = person(4);
export const anonymous: Principal = { kind: "public", userId: null, role: "none" };
export const as = (principal: Principal): Scope => scopeOf(principal);

interface RecordedEvent {
  event: string;
  userId: number | null;
  metadata: unknown;
  username: string;
}
export interface WorkspaceSuite {
  carrel: WorkspaceInstance;
  request: WorkspaceInstance["request"];
  /** Made by the admin before the current test, with one member. */
  current(): WorkspaceWire;
  /** Scope in the current workspace, or in another one. */
  within(principal: Principal, workspace?: { id: number; slug: string }): Scope;
  /** Newest first. */
  newestEvents(count: number): Promise<RecordedEvent[]>;
}

/** The workspace service with four users for a test file, stopped at its end. */
export async function startWorkspaceSuite(): Promise<WorkspaceSuite> {
  const carrel = await startWorkspaceInstance();
  const { accounts, request } = carrel;
  accounts.add(1, "ada", "admin", "Runs it.");
  accounts.add(2, "max", "manager");
  accounts.add(3, "mia", "default", "Likes birds.");
  accounts.add(4, "sam");
  let current: WorkspaceWire;
  afterAll(() => carrel.stop());
  beforeEach(async () => {
    const room = { name: `Room ${randomUUID()}`, onboardingComplete: true };
    current = (await request(createWorkspace, room, as(admin))).workspace!;
    await request(updateMembers, { id: current.id, userIds: [3] }, as(admin));
  });
  return {
    carrel,
    request,
    current: () => current,
    within: (principal, { id, slug } = current) => scopeOf(principal, { id, slug }),
    newestEvents: async (count) =>
      (await request(listEvents, { limit: count }, as(admin))).logs.map(
        ({ event, userId, metadata, user }) => ({
          event,
          userId,
          metadata: metadata === null ? null : JSON.parse(metadata),
          username: user.username,
        }),
      ),
  };
}
