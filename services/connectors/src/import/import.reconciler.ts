import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { importJob } from "./import-job.ts";
import { ImportRepository } from "./import.repository.ts";

/** Requeues imports whose job was lost, and deletes those that ended long ago. */
@Injectable()
export class ImportReconciler extends Reconciler {
  constructor(private readonly imports: ImportRepository) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    await this.imports.deleteOld();
    return (await this.imports.listDue()).map(importJob);
  }
}
