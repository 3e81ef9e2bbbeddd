import type { ConnectionWire, Scope, SourceItemWire } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { mapRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { ConnectionRepository, mayChange } from "../connection/connection.repository.ts";
import type { SourceItem } from "../connection/source-item.entity.ts";

/** Connections as people see them: without their credentials. */
@Injectable()
export class ConnectionView {
  constructor(private readonly connections: ConnectionRepository) {}

  async build(scope: Scope, connection: Connection): Promise<ConnectionWire> {
    const [wire] = await this.buildAll(scope, [connection]);
    return wire!;
  }

  async buildAll(scope: Scope, connections: readonly Connection[]): Promise<ConnectionWire[]> {
    const ids = connections.map(({ id }) => id);
    const [runs, documents] = await Promise.all([
      this.connections.latestRuns(ids),
      this.connections.countDocuments(ids),
    ]);
    return connections.map((connection) => {
      const run = runs.get(connection.id);
      return {
        id: connection.id,
        connector: connection.connector,
        name: connection.name,
        settings: connection.settings,
        hasCredential: connection.sealedCredential !== null,
        ownerId: connection.ownerId,
        mayChange: mayChange(scope, connection),
        mirrorPermissions: connection.mirrorPermissions,
        matchAccounts: connection.matchAccounts,
        accessCheckedAt: connection.accessCheckedAt?.toISOString() ?? null,
        accessFault: connection.accessFault,
        documents: documents.get(connection.id) ?? 0,
        createdAt: connection.createdAt.toISOString(),
        updatedAt: connection.updatedAt.toISOString(),
        run: run === undefined ? null : mapRun(run),
      };
    });
  }
}

export const mapItem = (item: SourceItem): SourceItemWire => ({
  id: item.key,
  title: item.title,
  address: item.address,
  state: item.state === "gone" ? "skipped" : item.state,
  fault: item.fault ?? (item.state === "gone" ? { code: "source.gone" } : null),
  documentId: item.documentId,
  bytes: item.bytes,
  updatedAt: item.updatedAt.toISOString(),
});
