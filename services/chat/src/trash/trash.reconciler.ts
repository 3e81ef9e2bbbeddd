import { Injectable } from "@nestjs/common";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { TrashRepository } from "./trash.repository.ts";

const batch = 200;

/** Purges expired threads from the trash. */
@Injectable()
export class TrashReconciler extends Reconciler {
  constructor(private readonly trash: TrashRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    while ((await this.trash.purgeExpired(batch)) === batch);
    return [];
  }
}
