import type { Operation } from "@carrel/contracts";
import type { LocalRequests } from "./local-requests.ts";

/** The services running in this process, which receive its requests without Redis. */
export class LocalServices {
  private readonly replicas = new Map<string, LocalRequests[]>();

  constructor(private readonly isEnabled: boolean) {}

  add(service: string, replica: LocalRequests): void {
    if (!this.isEnabled) return;
    this.replicas.set(service, [...(this.replicas.get(service) ?? []), replica]);
  }

  remove(service: string, replica: LocalRequests): void {
    const others = (this.replicas.get(service) ?? []).filter((other) => other !== replica);
    if (others.length > 0) this.replicas.set(service, others);
    else this.replicas.delete(service);
  }

  /** Returns the least busy replica that handles this operation, if there is one. */
  find(operation: Operation): LocalRequests | undefined {
    let least: LocalRequests | undefined;
    for (const replica of this.replicas.get(operation.service) ?? [])
      if (replica.serves(operation) && (!least || replica.running < least.running)) least = replica;
    return least;
  }
}
