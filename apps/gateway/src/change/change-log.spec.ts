import {
  accessChanged,
  localModelsChanged,
  settingsChanged,
  workspaceCreated,
} from "@carrel/contracts";
import type { Broadcast } from "@carrel/messaging";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ChangeLog } from "./change-log.ts";

class FakeBroadcast {
  readonly listeners = new Map<string, (payload: unknown) => void>();
  onLoss = (): void => undefined;
  confirm = (): void => undefined;
  on(channel: string, listener: (payload: unknown) => void): () => void {
    this.listeners.set(channel, listener);
    return () => this.listeners.delete(channel);
  }
  onGap(listener: () => void): () => void {
    this.onLoss = listener;
    return () => undefined;
  }
  confirmed(): Promise<void> {
    return new Promise((resolve) => {
      this.confirm = resolve;
    });
  }
  send({ name }: { name: string }, payload: unknown): void {
    this.listeners.get(`event:${name}`)?.(payload);
  }
}

describe("the log of changes", () => {
  let now = 0;
  let broadcast: FakeBroadcast;
  let log: ChangeLog;
  beforeEach(async () => {
    now = 1_000_000;
    jest.spyOn(performance, "now").mockImplementation(() => now);
    broadcast = new FakeBroadcast();
    log = new ChangeLog(broadcast as unknown as Broadcast);
    expect(log.position).toBeNull(); // not subscribed yet
    broadcast.confirm();
    await new Promise(setImmediate);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const since = (position: string | null): unknown[] | undefined =>
    log.since(position ?? "")?.map(({ payload }) => payload);

  it("has the changes since a position, with those of the second before", () => {
    broadcast.send(workspaceCreated, 1);
    now += 2_500;
    broadcast.send(settingsChanged, 2);
    now += 800;
    const position = log.position;
    now += 1;
    broadcast.send(accessChanged, 3);
    expect(since(position)).toEqual([2, 3]);
    expect(log.since("")).toBeNull();
    now += 60_000;
    expect(since(position)).toEqual([2, 3]);
    expect(since(log.position)).toEqual([]);
  });

  it("hears of downloads of models", () => {
    const { position } = log;
    broadcast.send(localModelsChanged, 1);
    expect(since(position)).toEqual([1]);
  });
  it("has exactly the changes after another one, even within a millisecond", () => {
    const heard: string[] = [];
    log.on((change) => heard.push(change.position));
    for (const payload of [1, 2, 3]) broadcast.send(settingsChanged, payload);
    expect(heard.map(since)).toEqual([[2, 3], [3], []]);
  });

  it("knows nothing about another log, or about changes it has dropped", () => {
    const early = log.position;
    for (const position of ["", "other.5", "5", `${early}x`])
      expect(since(position)).toBeUndefined();
    now += 10_000;
    for (let n = 0; n < 1_000; n += 1) broadcast.send(settingsChanged, n);
    expect(since(early)).toHaveLength(1_000);
    broadcast.send(settingsChanged, 1_000);
    expect(since(early)).toBeUndefined();
    now += 5_000;
    expect(since(log.position)).toEqual([]);
  });

  it("starts again when changes may have been missed", async () => {
    const position = log.position;
    broadcast.onLoss();
    expect(since(position)).toBeUndefined();
    expect(log.position).toBeNull();
    broadcast.confirm();
    await new Promise(setImmediate);
    expect(since(log.position)).toEqual([]);
  });

  it("reports changes until the listener leaves", () => {
    const heard: unknown[] = [];
    const stop = log.on(({ payload }) => heard.push(payload));
    broadcast.send(settingsChanged, 1);
    stop();
    broadcast.send(settingsChanged, 2);
    expect(heard).toEqual([1]);
    log.onModuleDestroy();
    expect(broadcast.listeners.size).toBe(0);
  });
});
