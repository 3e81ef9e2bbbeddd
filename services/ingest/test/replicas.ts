import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { waitFor } from "@carrel/testing";
import { spawnReplica } from "./spawn-replica.ts";

/** Ingest services in separate processes. */
export class Replicas {
  private readonly children = new Set<ChildProcess>();

  /** @param answers resolves once a service responds */
  constructor(
    private readonly environment: Record<string, string>,
    private readonly answers: () => Promise<unknown>,
  ) {}

  async start(built: boolean): Promise<{ pid: number; kill(): Promise<void> }> {
    const child = spawnReplica(this.environment, built);
    this.children.add(child);
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => {
        this.children.delete(child);
        resolve();
      });
    });
    await new Promise<void>((resolve, reject) => {
      if (child.stdout) child.stdout.once("data", () => resolve());
      else
        void waitFor(() => this.answers().then(() => true), { timeoutMs: 60_000 }).then(
          () => resolve(),
          reject,
        );
      void ended.then(() => reject(new Error(`the replica ended with ${child.exitCode}`)));
    });
    return {
      pid: child.pid!,
      kill: () => {
        child.kill("SIGKILL");
        return ended;
      },
    };
  }

  async stop(): Promise<void> {
    // A profile (spawn-replica.ts) is written when its process exits normally.
    const signal = process.env.CARREL_NODE_OPTIONS === undefined ? "SIGKILL" : "SIGTERM";
    await Promise.all(
      [...this.children].map((child) => {
        const ended = once(child, "exit");
        child.kill(signal);
        return ended;
      }),
    );
  }
}
