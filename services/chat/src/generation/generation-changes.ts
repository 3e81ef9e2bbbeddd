import {
  generationChanged,
  threadRenamed,
  type Conversation,
  type EventPayload,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

const cancelChannel = "chat.generation.cancel";

interface ChangedGeneration {
  id: string;
  threadId: number;
  workspaceId: number;
  userId: number | null;
  channel: Conversation["channel"] | null;
}

/**
 * Notifies the owner's other tabs and devices, and other replicas. A lost message does no harm, so
 * there is no outbox.
 */
@Injectable()
export class GenerationChanges {
  constructor(
    private readonly broadcast: Broadcast,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  announce({ id, threadId, workspaceId, userId, channel }: ChangedGeneration, state: string): void {
    this.publish(generationChanged.name, {
      workspaceId,
      userId,
      threadId,
      generationId: id,
      state,
      ...(channel !== null && { channel }),
    });
  }

  /**
   * Calls `listener` when any replica has queued an answer; a lost message means a later call or
   * none. Returns the unsubscribe function.
   */
  onQueued(listener: () => void): () => void {
    return this.broadcast.on(`event:${generationChanged.name}`, (payload) => {
      if ((payload as EventPayload<typeof generationChanged>).state === "queued") listener();
    });
  }

  /** Readers of the answer get the new name from its stream. */
  announceName(
    { threadId, scope }: { threadId: number; scope: WorkspaceScope },
    name: { slug: string; name: string },
  ): void {
    this.publish(threadRenamed.name, {
      workspaceId: scope.workspace.id,
      threadId,
      userId: scope.principal.userId,
      ...name,
    });
  }

  /** Asks the replicas that run these answers to stop them. */
  announceCancel(ids: readonly string[]): void {
    this.broadcast
      .publish(cancelChannel, ids)
      .catch((error: unknown) => this.logger.debug({ err: error }, "couldn't broadcast a stop"));
  }

  /** Returns the unsubscribe function. */
  onCancel(listener: (ids: string[]) => void): () => void {
    return this.broadcast.on(cancelChannel, (payload) => {
      if (Array.isArray(payload)) listener(payload.map(String));
    });
  }

  private publish(event: string, payload: Record<string, unknown>): void {
    this.broadcast
      .publish(`event:${event}`, payload)
      .catch((error: unknown) => this.logger.debug({ err: error, event }, "broadcast failed"));
  }
}

export const changeOf = ({
  id,
  threadId,
  channel,
  scope: { workspace, principal },
}: {
  id: string;
  threadId: number;
  channel: ChangedGeneration["channel"];
  scope: WorkspaceScope;
}): ChangedGeneration => ({
  id,
  threadId,
  workspaceId: workspace.id,
  userId: principal.userId,
  channel,
});
