import { randomUUID } from "node:crypto";
import {
  CarrelError,
  describeWatched,
  endWatch,
  eventLogged,
  findRun,
  findWorkspaces,
  listWatched,
  listWatchedIds,
  liveSyncLabel,
  prepareSync,
  purgeDocuments,
  readWorkspaceDocuments,
  refreshDocument,
  resolveSettings,
  syncConnection,
  syncGivenUp,
  syncStopped,
  type ConnectionRunWire,
  type DomainEvent,
  type EventPayload,
  type In,
  type Operation,
  type Out,
  type ServiceName,
  type WatchedDocument,
} from "@carrel/contracts";
import { Consume, Handle, type RequestContext } from "@carrel/messaging";
import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { Controller, Injectable, Module, type Type } from "@nestjs/common";

type Outcome = Out<typeof refreshDocument>;

/** What the other services know, and what was asked of them. */
export class World {
  isOn = true;
  readonly documents = new Map<string, WatchedDocument>();
  /** What connectors answers for a document; unchanged by default. */
  answer: (documentId: string) => Outcome | Promise<Outcome> = () => ({
    outcome: "unchanged",
    fault: null,
  });
  readonly refreshed: string[] = [];
  readonly purged: string[] = [];
  readonly runs = new Map<string, ConnectionRunWire>();
  /** Runs that were asked for. */
  readonly followed: string[] = [];
  /** Runs that aren't their connection's latest one. */
  find: (runId: string) => ConnectionRunWire | null = () => null;
  /** The run that fetches only what the one before couldn't. */
  retry: string | null = null;
  /** Whether runs list everything. */
  isWhole = true;
  /** Why connectors can't start a run. */
  refusal: Error | null = null;
  /** Of each source, whether its documents are kept when they are gone. */
  readonly keepsGone = new Map<string, boolean | undefined>();
  readonly stopped: EventPayload<typeof syncStopped>[] = [];
  readonly givenUp: EventPayload<typeof syncGivenUp>[] = [];
  readonly logged: EventPayload<typeof eventLogged>[] = [];

  /** Watches a new document in these workspaces. */
  watch(host: string, workspaceIds = [7]): WatchedDocument {
    const documentId = randomUUID();
    const document: WatchedDocument = {
      documentId,
      docpath: `custom-documents/${documentId}.json`,
      title: `${host}.html`,
      chunkSource: `link://https://${host}/${documentId}`,
      watch: "active",
      watchedBy: 3,
      isRestricted: false,
      workspaceIds,
    };
    this.documents.set(documentId, document);
    return document;
  }

  get services(): ServiceDefinition[] {
    return [this.workspace(), this.ingest(), this.connectors()];
  }

  private workspace(): ServiceDefinition {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const world = this;
    @Controller()
    class Workspace {
      @Handle(resolveSettings)
      settings(): Out<typeof resolveSettings> {
        return { values: { [liveSyncLabel]: String(world.isOn) }, secrets: {}, version: 1 };
      }
      @Handle(findWorkspaces)
      names({ ids }: In<typeof findWorkspaces>): Out<typeof findWorkspaces> {
        return { workspaces: ids.map((id) => ({ id, name: `W${id}`, slug: `w${id}` })) };
      }
    }
    @Injectable()
    class Told {
      @Consume(syncStopped)
      async stopped(event: EventPayload<typeof syncStopped>): Promise<void> {
        world.stopped.push(event);
      }
      @Consume(syncGivenUp)
      async givenUp(event: EventPayload<typeof syncGivenUp>): Promise<void> {
        world.givenUp.push(event);
      }
      @Consume(eventLogged)
      async logged(event: EventPayload<typeof eventLogged>): Promise<void> {
        world.logged.push(event);
      }
    }
    return double("workspace", Workspace, [resolveSettings, findWorkspaces], {
      events: [syncStopped, syncGivenUp, eventLogged],
      providers: [Told],
    });
  }

  private ingest(): ServiceDefinition {
    const { documents, purged } = this;
    @Controller()
    class Ingest {
      @Handle(describeWatched)
      describe({ documentIds }: In<typeof describeWatched>): Out<typeof describeWatched> {
        return { documents: documentIds.flatMap((id) => documents.get(id) ?? []) };
      }
      @Handle(listWatchedIds)
      listIds({ after, limit }: In<typeof listWatchedIds>): Out<typeof listWatchedIds> {
        const ids = [...documents.values()].flatMap(({ documentId, watch }) =>
          watch === "active" && documentId > (after ?? "") ? documentId : [],
        );
        return { documentIds: ids.toSorted().slice(0, limit) };
      }
      @Handle(listWatched)
      list(
        { documentId }: In<typeof listWatched>,
        { scope }: RequestContext,
      ): Out<typeof listWatched> {
        const listed = [...documents.values()].filter(
          (each) =>
            each.watch !== null &&
            each.workspaceIds.includes(scope.workspace!.id) &&
            (documentId === undefined || each.documentId === documentId),
        );
        return { documents: listed, next: null };
      }
      @Handle(readWorkspaceDocuments)
      read(
        { documentIds }: In<typeof readWorkspaceDocuments>,
        { scope }: RequestContext,
      ): Out<typeof readWorkspaceDocuments> {
        const rows = documentIds!.map((id, at) => ({
          id: at + 1,
          docId: id,
          filename: `${id}.json`,
          docpath: documents.get(id)!.docpath,
          workspaceId: scope.workspace!.id,
          metadata: "{}",
          pinned: false,
          watched: true,
          createdAt: "2026-11-29T00:00:00.000Z",
          lastUpdatedAt: "2026-11-29T00:00:00.000Z",
        }));
        return {
          items: rows.map((row) => JSON.stringify(row)).join(),
          next: null,
          hasFiles: false,
        };
      }
      @Handle(endWatch)
      end({ documentId, isGivenUp }: In<typeof endWatch>): Out<typeof endWatch> {
        const document = documents.get(documentId);
        if (document) document.watch = isGivenUp ? "stopped" : null;
        return {};
      }
      @Handle(purgeDocuments)
      purge({ selection }: In<typeof purgeDocuments>): Out<typeof purgeDocuments> {
        if (!("documentIds" in selection)) throw new Error("only ids are expected");
        for (const id of selection.documentIds) documents.delete(id);
        purged.push(...selection.documentIds);
        return { affected: selection.documentIds.length, skipped: 0 };
      }
    }
    return double("ingest", Ingest, [
      describeWatched,
      listWatched,
      listWatchedIds,
      readWorkspaceDocuments,
      endWatch,
      purgeDocuments,
    ]);
  }

  private connectors(): ServiceDefinition {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const world = this;
    @Controller()
    class Connectors {
      @Handle(refreshDocument)
      refresh({ documentId }: In<typeof refreshDocument>): Outcome | Promise<Outcome> {
        world.refreshed.push(documentId);
        return world.answer(documentId);
      }
      @Handle(prepareSync)
      prepare({ connectionId, keepsGone }: In<typeof prepareSync>): Out<typeof prepareSync> {
        if (keepsGone !== undefined) world.keepsGone.set(connectionId, keepsGone);
        return { name: "Handbook", connector: "website" };
      }
      @Handle(syncConnection)
      sync({ connectionId }: In<typeof syncConnection>): Out<typeof syncConnection> {
        if (world.refusal !== null) throw world.refusal;
        const run = world.runs.get(connectionId);
        if (run === undefined) throw new CarrelError("source.not-found");
        return { run, isRetry: run.id === world.retry };
      }
      @Handle(findRun)
      find({ runId }: In<typeof findRun>): Out<typeof findRun> {
        world.followed.push(runId);
        return {
          run: [...world.runs.values()].find(({ id }) => id === runId) ?? world.find(runId),
          isWhole: world.isWhole,
        };
      }
    }
    return double("connectors", Connectors, [
      refreshDocument,
      prepareSync,
      syncConnection,
      findRun,
    ]);
  }
}

function double(
  name: ServiceName,
  controller: Type,
  operations: readonly Operation[],
  more: { events?: DomainEvent[]; providers?: Type[] } = {},
): ServiceDefinition {
  class DoubleModule {}
  Module({ controllers: [controller], providers: more.providers ?? [] })(DoubleModule);
  return defineService({
    name,
    module: DoubleModule,
    contracts: { operations, jobs: [], events: more.events ?? [] },
  });
}
