import {
  accessChanged,
  membersChanged,
  settingsChanged,
  workspaceCreated,
  workspaceDeleted,
  workspaceUpdated,
} from "@carrel/contracts";
import { Broadcast, handlingMs } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";

/** When something was read; create it before reading. */
export interface ReadTime {
  changes: number;
  at: number;
}

/**
 * Whether workspaces read earlier, with the settings they inherit and the people who may use them,
 * are still current. The workspace service answers a write only once every gateway has heard of it,
 * so this is exact; anything not known to be current must be read again.
 */
@Injectable()
export class WorkspaceFreshness implements OnModuleDestroy {
  private changes = 0;
  private changedAt = performance.now();
  private attempts = 0;
  private isListening = false;
  private readonly stops: (() => void)[];

  constructor(private readonly broadcast: Broadcast) {
    this.stops = [
      ...[
        workspaceCreated,
        workspaceUpdated,
        workspaceDeleted,
        membersChanged,
        accessChanged,
        settingsChanged,
      ].map(({ name }) => broadcast.on(`event:${name}`, () => this.noteChange())),
      broadcast.onGap(() => this.listen()),
    ];
    this.listen();
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  now(): ReadTime {
    return { changes: this.changes, at: performance.now() };
  }

  /** The writer stops waiting for this gateway after `handlingMs`, so nothing is kept longer. */
  isCurrent({ changes, at }: ReadTime): boolean {
    return (
      changes === this.changes &&
      this.isListening &&
      this.broadcast.isConnected &&
      performance.now() - at < handlingMs
    );
  }

  /**
   * Whether every process had heard of the last change by then, so that answers from its cache may
   * be cached here, too.
   */
  isSettled({ changes, at }: ReadTime): boolean {
    return changes === this.changes && at - this.changedAt >= handlingMs;
  }

  noteChange(): void {
    this.changes += 1;
    this.changedAt = performance.now();
  }

  private listen(): void {
    const attempt = (this.attempts += 1);
    this.isListening = false;
    this.broadcast.confirmed().then(
      () => {
        if (attempt !== this.attempts) return;
        // Changes may have been missed until now.
        this.noteChange();
        this.isListening = true;
      },
      () => undefined, // the connection is lost, and onGap follows, or the process stops
    );
  }
}
