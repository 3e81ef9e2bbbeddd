import {
  brandingChanged,
  generationChanged,
  indexChanged,
  libraryChanged,
  membersChanged,
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
import { EventStreams } from "../stream/event-streams.ts";
import { WorkspaceList } from "../workspace/workspace-list.ts";
import { VisibleWorkspaces } from "./visible-workspaces.ts";

const plainEvents = [
  workspaceCreated,
  workspaceUpdated,
  workspaceDeleted,
  workspaceDocumentsChanged,
  settingsChanged,
  brandingChanged,
];
/**
 * Maximum number of frames buffered for a slow reader; beyond that the stream ends, and the reader
 * reconnects and reloads everything.
 */
const waitingLimit = 1_000;
const farewell = JSON.stringify({ type: "access.changed" } satisfies ChangeFrame);
const seesAll = ({ principal }: Scope): boolean =>
  principal.role === "admin" || principal.role === "manager";

@Injectable()
export class ChangeRoutes {
  constructor(
    private readonly broadcast: Broadcast,
    private readonly workspaceList: WorkspaceList,
    private readonly eventStreams: EventStreams,
  ) {}

  /** Streams changes in the workspaces the principal may use. */
  @Route(watchChanges)
  watch({ scope, request, reply }: Call<typeof watchChanges>): Promise<void> {
    const stream = this.eventStreams.watch(request, reply, {
      principal: scope.principal,
      farewell,
    });
    const visible = new VisibleWorkspaces(() => this.workspaceList.listIds(scope));
    let waiting = 0;
    let queue: Promise<void> = Promise.resolve();
    const send = (frame: ChangeFrame): void => {
      waiting += 1;
      if (waiting > waitingLimit) {
        stream.stop();
        return;
      }
      queue = queue
        .then(async () => {
          if (await isVisible(scope, frame, visible)) await stream.send(JSON.stringify(frame));
        })
        .catch(() => stream.stop())
        .then(() => {
          waiting -= 1;
        });
    };
    const stops = [
      ...plainEvents.map((event) =>
        this.broadcast.on(`event:${event.name}`, (payload) => {
          if (event.name === workspaceCreated.name || event.name === workspaceDeleted.name)
            visible.forget();
          send({ type: event.name, ...(payload as object) } as ChangeFrame);
        }),
      ),
      this.broadcast.on(`event:${membersChanged.name}`, (payload) => {
        visible.forget();
        // Members without access to all workspaces learn only about changes to their own membership.
        if (
          seesAll(scope) ||
          (payload as EventPayload<typeof membersChanged>).userIds.some(
            (userId) => userId === scope.principal.userId,
          )
        )
          send({ type: "workspace-members.changed" });
      }),
      this.broadcast.on(`event:${generationChanged.name}`, (payload) => {
        const { userId, ...change } = payload as EventPayload<typeof generationChanged>;
        // Threads are visible only to their owner, whatever the reader's role.
        if (userId === scope.principal.userId) send({ type: "generation.changed", ...change });
      }),
      this.broadcast.on(`event:${threadRenamed.name}`, (payload) => {
        const { userId, ...change } = payload as EventPayload<typeof threadRenamed>;
        if (userId === scope.principal.userId) send({ type: "thread.renamed", ...change });
      }),
      this.broadcast.on(`event:${threadsChanged.name}`, (payload) => {
        const { userId, ...change } = payload as EventPayload<typeof threadsChanged>;
        if (userId === scope.principal.userId) send({ type: "threads.changed", ...change });
      }),
      this.broadcast.on(`event:${turnsChanged.name}`, (payload) => {
        const { userId, ...change } = payload as EventPayload<typeof turnsChanged>;
        if (userId === scope.principal.userId) send({ type: "turns.changed", ...change });
      }),
      this.broadcast.on(`event:${libraryChanged.name}`, () => {
        if (seesAll(scope)) send({ type: "library.changed" });
      }),
      this.broadcast.on(`event:${indexChanged.name}`, () => {
        if (scope.principal.role === "admin") send({ type: "index.changed" });
      }),
      // Frames may have been missed: ending the stream makes the reader reconnect and reload.
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
