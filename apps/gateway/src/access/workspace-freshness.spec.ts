import {
  accessChanged,
  membersChanged,
  settingsChanged,
  workspaceCreated,
  workspaceDeleted,
  workspaceUpdated,
} from "@carrel/contracts";
import { handlingMs, type Broadcast } from "@carrel/messaging";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { WorkspaceFreshness } from "./workspace-freshness.ts";

class FakeBroadcast {
  isConnected = true;
  readonly listeners = new Map<string, () => void>();
  readonly confirmations: (() => void)[] = [];
  reconnect = (): void => undefined;
  on(channel: string, listener: () => void): () => void {
    this.listeners.set(channel, listener);
    return () => this.listeners.delete(channel);
  }
  onGap(listener: () => void): () => void {
    this.reconnect = listener;
    return () => undefined;
  }
  confirmed(): Promise<void> {
    return new Promise((resolve) => this.confirmations.push(resolve));
  }
}

describe("workspaces read earlier", () => {
  let now = 0;
  let broadcast: FakeBroadcast;
  let freshness: WorkspaceFreshness;
  const confirm = async (): Promise<void> => {
    broadcast.confirmations.shift()!();
    await new Promise(setImmediate);
  };
  beforeEach(async () => {
    now = 1_000;
    jest.spyOn(performance, "now").mockImplementation(() => now);
    broadcast = new FakeBroadcast();
    freshness = new WorkspaceFreshness(broadcast as unknown as Broadcast);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it("are current only once changes can be heard, and only if read since then", async () => {
    const early = freshness.now();
    expect(freshness.isCurrent(early)).toBe(false);
    await confirm();
    expect(freshness.isCurrent(early)).toBe(false);
    expect(freshness.isCurrent(freshness.now())).toBe(true);
  });

  it("are no longer current after any change to workspaces, members or access", async () => {
    await confirm();
    for (const { name } of [
      workspaceCreated,
      workspaceUpdated,
      workspaceDeleted,
      membersChanged,
      accessChanged,
      settingsChanged,
    ]) {
      const readAt = freshness.now();
      expect(freshness.isCurrent(readAt)).toBe(true);
      broadcast.listeners.get(`event:${name}`)!();
      expect(freshness.isCurrent(readAt)).toBe(false);
    }
    const readAt = freshness.now();
    freshness.noteChange();
    expect(freshness.isCurrent(readAt)).toBe(false);
  });

  it("may be answered from another process's cache only once it has heard of the last change", async () => {
    await confirm();
    now += handlingMs;
    const settled = freshness.now();
    expect(freshness.isSettled(settled)).toBe(true);
    broadcast.listeners.get(`event:${settingsChanged.name}`)!();
    expect(freshness.isSettled(settled)).toBe(false);
    expect(freshness.isSettled(freshness.now())).toBe(false);
    now += handlingMs;
    expect(freshness.isSettled(freshness.now())).toBe(true);
  });

  it("are no longer current once a writer may have stopped waiting for this gateway", async () => {
    await confirm();
    const readAt = freshness.now();
    now += handlingMs - 1;
    expect(freshness.isCurrent(readAt)).toBe(true);
    now += 1;
    expect(freshness.isCurrent(readAt)).toBe(false);
  });

  it("aren't current while Redis is unreachable, nor if read before it was heard again", async () => {
    await confirm();
    const before = freshness.now();
    broadcast.isConnected = false;
    expect(freshness.isCurrent(before)).toBe(false);
    broadcast.isConnected = true;
    broadcast.reconnect();
    const between = freshness.now();
    expect(freshness.isCurrent(between)).toBe(false);
    broadcast.reconnect();
    await confirm(); // of the connection that was lost again
    expect(freshness.isCurrent(freshness.now())).toBe(false);
    await confirm();
    expect([before, between].map((readAt) => freshness.isCurrent(readAt))).toEqual([false, false]);
    expect(freshness.isCurrent(freshness.now())).toBe(true);
  });
});
