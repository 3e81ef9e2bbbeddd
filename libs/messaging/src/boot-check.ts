import type { DomainEvent, Job, Operation } from "@carrel/contracts";

/** The contracts to check: `@carrel/contracts` in production; tests supply their own. */
export interface Contracts {
  operations: readonly Operation[];
  jobs: readonly Job[];
  events: readonly DomainEvent[];
}

/** The service's handlers or contracts are inconsistent; the message lists every fault. */
export class BootError extends Error {
  override readonly name = "BootError";
  constructor(readonly faults: readonly string[]) {
    super(`The service cannot start:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  }
}

/** Reports names with more than one handler and names with none. */
function exactlyOne(what: string, wanted: readonly string[], found: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  const missing = wanted
    .filter((name) => !counts.has(name))
    .map((name) => `${what} ${name} has no handler`);
  const twice = [...counts]
    .filter(([, count]) => count > 1)
    .map(([name]) => `${what} ${name} has more than one handler`);
  const known = new Set(wanted);
  const foreign = [...counts.keys()]
    .filter((name) => !known.has(name))
    .map(
      (name) => `${what} ${name} is handled here but declared for another service, or not at all`,
    );
  return [...missing, ...twice, ...foreign];
}

/** Compares a service's declared handlers with those found. */
export function handlerFaults(
  service: string,
  contracts: Contracts,
  found: { operations: readonly string[]; jobs: readonly string[]; events: readonly string[] },
): string[] {
  return [
    ...exactlyOne(
      "operation",
      contracts.operations
        .filter((operation) => operation.service === service)
        .map(({ name }) => name),
      found.operations,
    ),
    ...exactlyOne(
      "job",
      contracts.jobs.filter((job) => job.service === service).map(({ name }) => name),
      found.jobs,
    ),
    ...exactlyOne(
      "event",
      contracts.events
        .filter((event) => (event.consumers as readonly string[]).includes(service))
        .map(({ name }) => name),
      found.events,
    ),
  ];
}

/**
 * Faults in the contracts themselves: duplicate names, public operations without a policy, call
 * cycles.
 */
export function contractFaults({ operations, jobs, events }: Contracts): string[] {
  const names = [...operations, ...jobs, ...events].map(({ name }) => name);
  const twice = [...new Set(names)]
    .filter((name) => names.filter((other) => other === name).length > 1)
    .map((name) => `the name ${name} is declared more than once`);
  const open = operations
    .filter(({ routes, access }) =>
      routes.some((route) => {
        const who = (route.access ?? access)?.who;
        return who === undefined || who === "internal";
      }),
    )
    .map(({ name }) => `operation ${name} has a route but no access policy for it`);
  const circle = findCycle(operations);
  return [
    ...twice,
    ...open,
    ...(circle ? [`services call each other in a cycle: ${circle.join(" → ")}`] : []),
  ];
}

/**
 * Returns the first cycle of services that call each other, or null. The gateway only calls others,
 * so it can't be part of one.
 */
export function findCycle(operations: readonly Operation[]): string[] | null {
  const calls = new Map<string, Set<string>>();
  for (const operation of operations) {
    const called = calls.get(operation.service) ?? new Set<string>();
    for (const service of operation.calls) called.add(service);
    calls.set(operation.service, called);
  }
  const done = new Set<string>();
  const visit = (service: string, path: readonly string[]): string[] | null => {
    if (path.includes(service)) return [...path.slice(path.indexOf(service)), service];
    if (done.has(service)) return null;
    for (const next of calls.get(service) ?? []) {
      const circle = visit(next, [...path, service]);
      if (circle) return circle;
    }
    done.add(service);
    return null;
  };
  for (const service of calls.keys()) {
    const circle = visit(service, []);
    if (circle) return circle;
  }
  return null;
}
