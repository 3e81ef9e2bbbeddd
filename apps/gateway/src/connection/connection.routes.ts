import {
  connectionsChannel,
  watchConnections,
  workspaceDeleted,
  type ConnectionFrame,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";

/** Of frames with the same key, only the newest matters. */
const keyOf = (frame: ConnectionFrame): string => {
  if (frame.type === "connection_run") return frame.run.id;
  return frame.type === "watches_changed" ? frame.type : frame.connectionId;
};

/** Progress of a workspace's imports. */
@Injectable()
export class ConnectionRoutes {
  constructor(
    private readonly broadcast: Broadcast,
    private readonly eventStreams: EventStreams,
  ) {}

  /** A slow reader gets the newest frame of each run; those in between don't matter. */
  @Route(watchConnections)
  watch({ scope, request, reply }: Call<typeof watchConnections>): Promise<void> {
    const workspaceId = scope.workspace!.id;
    const stream = this.eventStreams.watch(request, reply, { principal: scope.principal });
    const waiting = new Map<string, ConnectionFrame>();
    let isSending = false;
    const send = async (): Promise<void> => {
      if (isSending) return;
      isSending = true;
      for (const [key, frame] of waiting) {
        waiting.delete(key);
        await stream.send(JSON.stringify(frame));
      }
      isSending = false;
    };
    const stops = [
      this.broadcast.on(connectionsChannel(workspaceId), (payload) => {
        const frame = payload as ConnectionFrame;
        const id = keyOf(frame);
        waiting.delete(id);
        waiting.set(id, frame);
        send().catch(() => stream.stop());
      }),
      this.broadcast.on(`event:${workspaceDeleted.name}`, (payload) => {
        if ((payload as { workspaceId: number }).workspaceId === workspaceId) stream.stop();
      }),
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
