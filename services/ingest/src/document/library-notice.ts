import { libraryChanged, type EventPayload } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";

/** Minimum time between two notices. */
const pauseMs = 1_000;

/**
 * Announces library changes immediately, then at most once a second, always including the last
 * change. A lost notice costs a page a refresh.
 */
@Injectable()
export class LibraryNotice implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;
  private isDue = false;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly broadcast: Broadcast) {}

  /**
   * Calls the listener on each change: immediately for changes in this process, when the notice
   * arrives for other replicas' changes. Listeners last as long as the process.
   */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
    this.broadcast.on(`event:${libraryChanged.name}`, listener);
    this.broadcast.onGap(listener);
  }

  announce(): void {
    for (const listener of this.listeners) listener();
    this.isDue = true;
    if (this.timer === null) this.send();
  }

  /** Announces that a change failed before it reached all documents. */
  announceUnfinished(
    unfinished: NonNullable<EventPayload<typeof libraryChanged>["unfinished"]>,
  ): void {
    void this.broadcast.publishEvent(libraryChanged, { unfinished });
  }

  onApplicationShutdown(): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.isDue) void this.broadcast.publishEvent(libraryChanged, {});
  }

  private send(): void {
    this.isDue = false;
    void this.broadcast.publishEvent(libraryChanged, {});
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.isDue) this.send();
    }, pauseMs).unref();
  }
}
