import {
  CarrelError,
  fetchLink,
  getImport,
  importOnce,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { mapRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { ConnectionRepository } from "../connection/connection.repository.ts";
import { ItemListRepository } from "../connection/item-list.repository.ts";
import { RunRepository } from "../connection/run.repository.ts";
import { RunStarter } from "../run/run-starter.ts";
import { RunWait } from "../run/run-wait.ts";
import { SourceOpener } from "../run/source-opener.ts";

/** Documents of one import; existing clients get them all in one reply. */
const maxDocuments = 10_000;

/** Imports that leave no connection behind: a link, and those of existing clients. */
@Controller()
export class OnceHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: ConnectionRepository,
    private readonly runs: RunRepository,
    private readonly items: ItemListRepository,
    private readonly opener: SourceOpener,
    private readonly starter: RunStarter,
    private readonly wait: RunWait,
  ) {}

  /** A link is a source of one item; its document is the answer. */
  @Handle(fetchLink)
  async fetch(
    { link, headers, embed, metadata }: In<typeof fetchLink>,
    context: RequestContext,
  ): Promise<Out<typeof fetchLink>> {
    const access = { connector: "link", settings: { link }, credential: headers };
    const run = await this.wait.forEnd(
      await this.start(access, { embed, metadata }, context),
      context.signal,
    );
    if (run.fault !== null) throw CarrelError.fromFault(run.fault);
    const [item] = await this.items.list(run.connectionId, run.id, { after: "0", limit: 1 });
    if (item?.documentId) return { documentId: item.documentId, title: item.title };
    throw CarrelError.fromFault(item?.fault ?? { code: "request.failed" });
  }

  @Handle(importOnce)
  async import(
    { embed, ...access }: In<typeof importOnce>,
    context: RequestContext,
  ): Promise<Out<typeof importOnce>> {
    return { runId: await this.start(access, { embed, metadata: {} }, context) };
  }

  @Handle(getImport)
  async get({ runId }: In<typeof getImport>): Promise<Out<typeof getImport>> {
    const run = await this.runs.find(runId);
    if (run === null) throw new CarrelError("source.not-found");
    const hasEnded = run.endedAt !== null;
    const [reason] = hasEnded ? await this.items.listReasons(run, 1) : [];
    return {
      run: mapRun(run),
      documentIds: hasEnded ? await this.items.listDocuments(run.connectionId, maxDocuments) : [],
      firstFault: reason?.fault ?? null,
    };
  }

  /** Returns the run's id; a repeated request gets the one it started before. */
  private async start(
    { connector, settings, credential }: Omit<In<typeof importOnce>, "embed">,
    options: Pick<Connection, "embed" | "metadata">,
    context: RequestContext,
  ): Promise<string> {
    const access = this.opener.read(connector, settings, credential);
    const { id } = await keyed(this.dataSource, context, async (manager) => {
      const created = await this.connections.create(context.scope, manager, {
        connector,
        name: access.connector.nameOf(access.settings),
        settings: access.settings as Connection["settings"],
        sealedCredential: this.opener.seal(credential),
        ...options,
        isOnce: true,
      });
      const run = await this.starter.startIn(manager, created.id, context.scope.principal.userId);
      return { id: run.id };
    });
    return id;
  }
}
