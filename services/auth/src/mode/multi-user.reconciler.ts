import { multiUserEnabled } from "@carrel/contracts";
import { eventMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";

const soonMs = 10 * 60_000;
const weekMs = 7 * 24 * 3_600_000;

/**
 * Tells again that there are accounts now: Redis may have lost the event before every service
 * remembered it, and rows
 * without an owner would stay nobody's. Once a minute in the first minutes, and at each start in
 * the first week;
 * who knows it already does nothing.
 */
@Injectable()
export class MultiUserReconciler extends Reconciler {
  private wasTold = false;

  constructor(private readonly access: InstanceAccessRepository) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    const { mode, multiUserSince, firstAdminId } = await this.access.get();
    if (mode !== "multi" || multiUserSince === null || firstAdminId === null) return [];
    const age = Date.now() - multiUserSince.getTime();
    if (age > soonMs && (this.wasTold || age > weekMs)) return [];
    this.wasTold = true;
    return [
      eventMessage(multiUserEnabled, { adminId: firstAdminId, at: multiUserSince.toISOString() }),
    ];
  }
}
