import { fetchLink, type In, type Out } from "@carrel/contracts";
import { Handle, Reconciler, type OutboxMessage, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { Controller, Injectable, Module } from "@nestjs/common";
import { importJob } from "./import-job.ts";
import { ImportStarter } from "./import-starter.ts";
import { ImportWait } from "./import-wait.ts";
import { ImportProcessor } from "./import.processor.ts";
import { ImportRepository } from "./import.repository.ts";
import { ItemImporter } from "./item-importer.ts";

@Controller()
class LinkHandler {
  constructor(
    private readonly starter: ImportStarter,
    private readonly wait: ImportWait,
  ) {}

  /** A link is a source of one item; its document is the answer. */
  @Handle(fetchLink)
  async fetch(
    { link, headers, embed, metadata }: In<typeof fetchLink>,
    context: RequestContext,
  ): Promise<Out<typeof fetchLink>> {
    const importId = await this.starter.start(
      "link",
      { link, headers },
      { embed, metadata },
      context,
    );
    const [document] = await this.wait.forDocuments(importId, context.signal);
    return document!;
  }
}

/** Requeues imports whose job was lost, and deletes those that ended long ago. */
@Injectable()
class ImportReconciler extends Reconciler {
  constructor(private readonly imports: ImportRepository) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    await this.imports.deleteOld();
    return (await this.imports.listDue()).map(importJob);
  }
}

@Module({
  controllers: [LinkHandler],
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    ImportProcessor,
    ImportReconciler,
    ImportRepository,
    ImportStarter,
    ImportWait,
    ItemImporter,
  ],
})
export class ImportModule {}
