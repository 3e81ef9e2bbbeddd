import { randomBytes } from "node:crypto";
import {
  accessChanged,
  brandingChanged,
  generationChanged,
  indexChanged,
  libraryChanged,
  membersChanged,
  settingsChanged,
  threadRenamed,
  threadsChanged,
  turnsChanged,
  workspaceCreated,
  workspaceDeleted,
  workspaceDocumentsChanged,
  workspaceUpdated,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";

/** A domain event; `position` is that of the log when it arrived. */
export interface Change {
  name: string;
  payload: unknown;
  position: string;
}

interface Logged extends Change {
  ms: number;
}

const events = [
  accessChanged,
  brandingChanged,
  generationChanged,
  indexChanged,
  libraryChanged,
  membersChanged,
  settingsChanged,
  threadRenamed,
  threadsChanged,
  turnsChanged,
  workspaceCreated,
  workspaceDeleted,
  workspaceDocumentsChanged,
  workspaceUpdated,
];
const capacity = 1_000;
/** A service may answer from a cache for a moment after the gateway has heard of a change. */
const overlapMs = 1_000;

/**
 * The latest changes on the instance, as this gateway heard of them, so that a reader can have all
 * changes since an earlier reply. A position is opaque to clients: the log's epoch, and a time in
 * it. Times rather than counts, so that nobody learns how much happens on the instance.
 */
@Injectable()
export class ChangeLog implements OnModuleDestroy {
  private epoch = "";
  private begun = 0;
  private log: Logged[] = [];
  /** Changes up to this time in the epoch are no longer in the log. */
  private droppedMs = 0;
  private isListening = false;
  private readonly listeners = new Set<(change: Change) => void>();
  private readonly stops: (() => void)[];

  constructor(broadcast: Broadcast) {
    this.startEpoch();
    this.stops = [
      ...events.map(({ name }) =>
        broadcast.on(`event:${name}`, (payload) => this.add(name, payload)),
      ),
      broadcast.onGap(() => this.startEpoch()),
    ];
    void broadcast.confirmed().then(
      () => {
        this.startEpoch();
        this.isListening = true;
      },
      () => undefined, // the process is stopping
    );
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  /** Where the log is now; null until the gateway hears of every change. */
  get position(): string | null {
    return this.isListening ? `${this.epoch}.${this.now()}` : null;
  }

  /** All changes since the position, including a few before it; null if some are unknown. */
  since(position: string): Change[] | null {
    const [epoch, time = ""] = position.split(".");
    if (epoch !== this.epoch || !/^\d{1,15}$/.test(time)) return null;
    const from = Number(time) - overlapMs;
    return from > this.droppedMs || this.droppedMs === 0
      ? this.log.filter(({ ms }) => ms >= from)
      : null;
  }

  /** Calls back for each change from now on. Returns the unsubscribe function. */
  on(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private now(): number {
    return Math.floor(performance.now() - this.begun);
  }

  private startEpoch(): void {
    this.epoch = randomBytes(6).toString("base64url");
    this.begun = performance.now();
    this.log = [];
    this.droppedMs = 0;
  }

  private add(name: string, payload: unknown): void {
    const ms = this.now();
    const change = { name, payload, ms, position: `${this.epoch}.${ms}` };
    this.log.push(change);
    if (this.log.length > capacity) this.droppedMs = this.log.shift()!.ms;
    for (const listener of this.listeners) listener(change);
  }
}
