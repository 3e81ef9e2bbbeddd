import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";

/** A lease that isn't renewed for this long belongs to a dead replica. */
export const leaseSeconds = 5;

/** Identifies this replica in leases. */
@Injectable()
export class Replica {
  readonly id = randomUUID();
}
