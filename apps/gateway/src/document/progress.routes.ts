import { watchProgress, workspaceDeleted, type ProgressFrame } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-streams.ts";
import { ProgressFrames } from "./progress-frames.ts";

/**
 * Maximum number of frames buffered for a slow reader; beyond that the stream ends and the reader
 * reconnects.
 */
const waitingLimit = 1_000;

@Injectable()
export class ProgressRoutes {
  constructor(
    private readonly broadcast: Broadcast,
    private readonly eventStreams: EventStreams,
  ) {}

  /**
   * Sends Carrel's clients the states as ingest reports them, and existing ones the frames of
   * wire-contract 6.5.
   */
  @Route(watchProgress)
  watch({ scope, request, reply }: Call<typeof watchProgress>): Promise<void> {
    const workspace = scope.workspace!;
    const stream = this.eventStreams.watch(request, reply, { principal: scope.principal });
    const frames = new ProgressFrames({
      workspaceSlug: workspace.slug,
      userId: scope.principal.userId,
    });
    let waiting = 0;
    let queue: Promise<void> = Promise.resolve();
    const send = (frame: ProgressFrame): void => {
      waiting += 1;
      if (waiting > waitingLimit) {
        stream.stop();
        return;
      }
      queue = queue
        .then(() => stream.send(JSON.stringify(frame)))
        .then(() => {
          waiting -= 1;
        });
    };
    const stops = [
      this.broadcast.on(`progress:${workspace.id}`, (payload) => {
        const frame = payload as ProgressFrame;
        if (stream.carrel) send(frame);
        else if (frame.type === "document_state")
          for (const wire of frames.read(frame.document)) send(wire);
        else if (frame.type === "document_removed")
          for (const wire of frames.leave(frame.documentId)) send(wire);
      }),
      this.broadcast.on(`event:${workspaceDeleted.name}`, (payload) => {
        if ((payload as { workspaceId: number }).workspaceId === workspace.id) stream.stop();
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
