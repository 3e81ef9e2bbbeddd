import {
  findMissingWorkspaces,
  servicePrincipal,
  workspaceDeleted,
  type EventPayload,
} from "@carrel/contracts";
import { Broadcast, DailyReconciler, RequestClient, type OutboxMessage } from "@carrel/messaging";
import { Injectable, Module, type OnModuleDestroy } from "@nestjs/common";
import { ConnectionModule } from "../connection/connection.module.ts";
import { ConnectionRepository } from "../connection/connection.repository.ts";
import { HubModule } from "../hub/hub.module.ts";
import { RegistryModule } from "../registry/connector-registry.ts";
import { RunModule } from "../run/run.module.ts";
import { ConnectionView } from "./connection-wire.ts";
import {
  ConnectionHandler,
  ConnectionReadHandler,
  ConnectionRemovalHandler,
} from "./connection.handler.ts";
import { DraftHandler } from "./draft.handler.ts";
import { OnceHandler } from "./once.handler.ts";
import { OwnerDeletion } from "./owner-deletion.ts";
import { RunHandler } from "./run.handler.ts";
import { SourceEvents } from "./source-events.ts";
import { SourceWatcher } from "./source-watcher.ts";
import { SyncHandler } from "./sync.handler.ts";

const batch = 10_000;

/**
 * Deletes the connections of a deleted workspace: at once when that is broadcast, and otherwise
 * within a day. Until then, their runs fail because ingest refuses the documents.
 */
@Injectable()
class WorkspaceDeletion extends DailyReconciler implements OnModuleDestroy {
  private readonly stop: () => void;

  constructor(
    private readonly connections: ConnectionRepository,
    private readonly client: RequestClient,
    broadcast: Broadcast,
  ) {
    super();
    this.stop = broadcast.on(`event:${workspaceDeleted.name}`, (payload) => {
      const { workspaceId } = payload as EventPayload<typeof workspaceDeleted>;
      this.connections.deleteOfWorkspace(workspaceId).catch(() => undefined);
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  protected override async compare(): Promise<OutboxMessage[]> {
    const scope = { principal: servicePrincipal, workspace: null };
    let after = 0;
    for (;;) {
      const ids = await this.connections.listWorkspaceIds(after, batch);
      if (ids.length === 0) return [];
      const missing = await this.client.request(findMissingWorkspaces, { ids }, { scope });
      for (const id of missing.ids) await this.connections.deleteOfWorkspace(id);
      after = ids.at(-1)!;
    }
  }
}

@Module({
  imports: [ConnectionModule, HubModule, RegistryModule, RunModule],
  controllers: [
    ConnectionHandler,
    ConnectionReadHandler,
    ConnectionRemovalHandler,
    DraftHandler,
    OnceHandler,
    RunHandler,
    SyncHandler,
  ],
  providers: [ConnectionView, OwnerDeletion, SourceEvents, SourceWatcher, WorkspaceDeletion],
})
export class ManagementModule {}
