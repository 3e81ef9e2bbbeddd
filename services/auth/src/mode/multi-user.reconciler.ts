import { multiUserEnabled } from "@carrel/contracts";
import { eventMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";

const soonMs = 10 * 60_000;
const weekMs = 7 * 24 * 3_600_000;

/**
 * Republishes that accounts were enabled, because Redis may lose the event before every service has
 * processed it, leaving rows without an owner. Runs once a minute for the first ten minutes, then
 * once per start during the first week; services that already processed it ignore it.
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
