import { randomBytes, randomInt } from "node:crypto";
import {
  accessChanged,
  brandingChanged,
  flowRunChanged,
  generationChanged,
  indexChanged,
  libraryChanged,
  localModelsChanged,
  membersChanged,
  noticesChanged,
  scheduleChanged,
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

/** A domain event; everything after its position happened after it. */
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
  flowRunChanged,
  generationChanged,
  indexChanged,
  libraryChanged,
  localModelsChanged,
  membersChanged,
  noticesChanged,
  scheduleChanged,
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
 * Times start anywhere below this, so that they don't reveal how long the gateway has been running.
 */
const offsetMs = 2 ** 40;

/**
 * The latest changes on the instance, as this gateway heard of them, so that a reader can get all
 * changes since an earlier reply or after an earlier change. A position is opaque to clients: the
 * log's epoch and a time in it, with an `f` if it is a change's. Times rather than counts, which
 * would reveal how busy the instance is.
 */
@Injectable()
export class ChangeLog implements OnModuleDestroy {
  private epoch = "";
  private shift = 0;
  private log: Logged[] = [];
  private latestMs = 0;
  /** Changes up to this time are no longer in the log. */
  private droppedMs = 0;
  private isListening = false;
  private readonly listeners = new Set<(change: Change) => void>();
  private readonly stops: (() => void)[];

  constructor(private readonly broadcast: Broadcast) {
    this.stops = [
      ...events.map(({ name }) =>
        broadcast.on(`event:${name}`, (payload) => this.add(name, payload)),
      ),
      broadcast.onGap(() => this.startEpoch()),
    ];
    this.startEpoch();
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  /** The current position; null while the gateway doesn't hear of every change. */
  get position(): string | null {
    return this.isListening ? `${this.epoch}.${this.now()}` : null;
  }

  /**
   * All changes after a change's position, or since a reply's position and from the second before
   * it; null if some are unknown.
   */
  since(position: string): Change[] | null {
    const [, epoch, mark, time] = /^([\w-]+)\.(f?)(\d{1,15})$/.exec(position) ?? [];
    if (epoch !== this.epoch) return null;
    const after = mark === "f" ? Number(time) : Number(time) - overlapMs;
    return after >= this.droppedMs ? this.log.filter(({ ms }) => ms > after) : null;
  }

  /** Calls back for each change from now on. Returns the unsubscribe function. */
  on(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private now(): number {
    return Math.floor(performance.now() + this.shift);
  }

  private startEpoch(): void {
    const epoch = randomBytes(6).toString("base64url");
    this.epoch = epoch;
    this.shift = randomInt(offsetMs);
    this.log = [];
    this.latestMs = 0;
    this.droppedMs = 0;
    this.isListening = false;
    this.broadcast.confirmed().then(
      () => {
        if (this.epoch === epoch) this.isListening = true;
      },
      () => undefined, // the connection is lost, which starts the next epoch, or the process stops
    );
  }

  private add(name: string, payload: unknown): void {
    const ms = (this.latestMs = Math.max(this.now(), this.latestMs + 1));
    const change = { name, payload, ms, position: `${this.epoch}.f${ms}` };
    this.log.push(change);
    if (this.log.length > capacity) this.droppedMs = this.log.shift()!.ms;
    for (const listener of this.listeners) listener(change);
  }
}
