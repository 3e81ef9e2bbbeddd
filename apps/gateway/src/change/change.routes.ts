import {
  accessChanged,
  brandingChanged,
  changesCompleteHeader,
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
  watchChanges,
  workspaceCreated,
  workspaceDeleted,
  workspaceDocumentsChanged,
  workspaceUpdated,
  type ChangeFrame,
  type EventPayload,
  type Scope,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";
import { WorkspaceList } from "../workspace/workspace-list.ts";
import { ChangeLog, type Change } from "./change-log.ts";

const trustMs = 5_000;

/** Workspaces one reader may use, loaded when a frame needs them and cached briefly. */
export class VisibleWorkspaces {
  private known: { ids: Promise<ReadonlySet<number>>; until: number } | null = null;

  constructor(private readonly ask: () => Promise<readonly number[]>) {}

  forget(): void {
    this.known = null;
  }

  async has(workspaceId: number): Promise<boolean> {
    if (this.known === null || this.known.until < Date.now()) {
      const asked = { ids: this.ask().then((ids) => new Set(ids)), until: Date.now() + trustMs };
      this.known = asked;
      asked.ids.catch(() => {
        if (this.known === asked) this.known = null;
      });
    }
    return (await this.known.ids).has(workspaceId);
  }
}

/** Sent unchanged to everyone who can see the workspace they name. */
const plainEvents: ReadonlySet<string> = new Set(
  [
    workspaceCreated,
    workspaceUpdated,
    workspaceDeleted,
    workspaceDocumentsChanged,
    settingsChanged,
    brandingChanged,
  ].map(({ name }) => name),
);
/** Events that may change which workspaces a reader can see. */
const visibilityEvents: ReadonlySet<string> = new Set(
  [workspaceCreated, workspaceDeleted, membersChanged].map(({ name }) => name),
);
/** Types of their frames. Threads and notices are visible only to their owner, whatever the reader's role. */
const personalEvents: ReadonlyMap<string, ChangeFrame["type"]> = new Map([
  [generationChanged.name, "generation.changed"],
  [noticesChanged.name, "notices.changed"],
  [threadRenamed.name, "thread.renamed"],
  [threadsChanged.name, "threads.changed"],
  [turnsChanged.name, "turns.changed"],
]);
/** Types of their frames, which admins see, too. */
const supervisedEvents: ReadonlyMap<string, ChangeFrame["type"]> = new Map([
  [flowRunChanged.name, "flow-run.changed"],
  [scheduleChanged.name, "schedule.changed"],
]);
/**
 * Maximum number of frames buffered for a slow reader; beyond that the stream ends, and the reader
 * reconnects.
 */
const waitingLimit = 1_000;
const farewell = JSON.stringify({ type: "access.changed" } satisfies ChangeFrame);
const seesAll = ({ principal }: Scope): boolean =>
  principal.role === "admin" || principal.role === "manager";

@Injectable()
export class ChangeRoutes {
  constructor(
    private readonly broadcast: Broadcast,
    private readonly log: ChangeLog,
    private readonly workspaceList: WorkspaceList,
    private readonly eventStreams: EventStreams,
  ) {}

  /**
   * Streams changes in the workspaces the principal may use. With `since`, changes since that
   * position come first; a header of the reply says so if none are missing.
   */
  @Route(watchChanges)
  watch({ scope, input, request, reply }: Call<typeof watchChanges>): Promise<void> {
    const missed = input.since === undefined ? null : this.log.since(input.since);
    const isComplete = missed !== null && !missed.some((change) => changesAccess(scope, change));
    if (isComplete) void reply.header(changesCompleteHeader, "1");
    const stream = this.eventStreams.watch(request, reply, {
      principal: scope.principal,
      farewell,
    });
    const visible = new VisibleWorkspaces(() => this.workspaceList.listIds(scope));
    let waiting = 0;
    let queue: Promise<void> = Promise.resolve();
    const send = (change: Change): void => {
      if (visibilityEvents.has(change.name)) visible.forget();
      const frame = frameFor(scope, change);
      if (frame === null) return;
      waiting += 1;
      if (waiting > waitingLimit) {
        stream.stop();
        return;
      }
      queue = queue
        .then(async () => {
          if (await isVisible(scope, frame, visible))
            await stream.send(JSON.stringify(frame), change.position);
        })
        .catch(() => stream.stop())
        .then(() => {
          waiting -= 1;
        });
    };
    if (isComplete) for (const change of missed) send(change);
    const stops = [
      this.log.on((change) => {
        try {
          send(change);
        } catch {
          stream.stop(); // other readers must still get the change
        }
      }),
      // Changes may have been missed: ending the stream makes the reader reconnect and reload.
      this.broadcast.onGap(() => stream.stop()),
    ];
    return new Promise((resolve) => {
      const leave = (): void => {
        for (const stop of stops) stop();
        resolve();
      };
      if (stream.signal.aborted) leave();
      else stream.signal.addEventListener("abort", leave, { once: true });
    });
  }
}

/** Whether the reader's access must be checked again; EventStreams then ends open streams. */
const changesAccess = ({ principal }: Scope, { name, payload }: Change): boolean => {
  if (name !== accessChanged.name) return false;
  const { userId } = payload as EventPayload<typeof accessChanged>;
  return userId === undefined || principal.userId === null || userId === principal.userId;
};

/**
 * The frame that a reader gets for a change, regardless of the workspace's visibility; null: none.
 */
export function frameFor(scope: Scope, { name, payload }: Change): ChangeFrame | null {
  if (plainEvents.has(name)) return { type: name, ...(payload as object) } as ChangeFrame;
  const personal = personalEvents.get(name);
  if (personal !== undefined) {
    const { userId, channel, ...change } = payload as {
      userId: number | null;
      /** Set for conversations outside the app. */
      channel?: string;
    };
    return userId === scope.principal.userId && channel === undefined
      ? ({ type: personal, ...change } as ChangeFrame)
      : null;
  }
  if (name === membersChanged.name) {
    // Members without access to all workspaces learn only about changes to their own membership.
    const { userIds } = payload as EventPayload<typeof membersChanged>;
    return seesAll(scope) || userIds.some((userId) => userId === scope.principal.userId)
      ? { type: "workspace-members.changed" }
      : null;
  }
  const supervised = supervisedEvents.get(name);
  if (supervised !== undefined) {
    const { userId, ...change } = payload as { userId: number | null };
    const isSeen = userId === scope.principal.userId || scope.principal.role === "admin";
    return isSeen ? ({ type: supervised, ...change } as ChangeFrame) : null;
  }
  if (name === localModelsChanged.name)
    return scope.principal.role === "admin"
      ? { type: "local-models.changed", ...(payload as EventPayload<typeof localModelsChanged>) }
      : null;
  if (name === libraryChanged.name) {
    if (!seesAll(scope)) return null;
    const { unfinished } = payload as EventPayload<typeof libraryChanged>;
    return {
      type: "library.changed",
      ...(unfinished?.userId === scope.principal.userId && { unfinished: unfinished.documents }),
    };
  }
  if (name === indexChanged.name)
    return scope.principal.role === "admin" ? { type: "index.changed" } : null;
  return null;
}

async function isVisible(
  scope: Scope,
  frame: ChangeFrame,
  visible: VisibleWorkspaces,
): Promise<boolean> {
  if (frame.type === "settings.changed") return scope.principal.role === "admin";
  // Members without access to all workspaces don't receive the id of a deleted one; their refreshed
  // list no longer contains it.
  return !("workspaceId" in frame) || seesAll(scope) || visible.has(frame.workspaceId);
}
