import { connectionsChannel, type ConnectionFrame } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";

/** How often the pages of a workspace are told at most. */
const everyMs = 1_000;
const frame: ConnectionFrame = { type: "watches_changed" };

/** Tells the pages that show a workspace's sources that something about its watches has changed. */
@Injectable()
export class WatchNotice implements OnModuleDestroy {
  private readonly timers = new Map<number, NodeJS.Timeout>();

  constructor(private readonly broadcast: Broadcast) {}

  onModuleDestroy(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  announce(workspaceIds: readonly number[]): void {
    for (const id of workspaceIds) {
      if (this.timers.has(id)) continue;
      const timer = setTimeout(() => {
        this.timers.delete(id);
        // The page's next visit shows it.
        this.broadcast.publish(connectionsChannel(id), frame).catch(() => undefined);
      }, everyMs).unref();
      this.timers.set(id, timer);
    }
  }
}
