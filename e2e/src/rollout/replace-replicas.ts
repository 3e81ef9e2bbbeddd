import type { Deployed, Deployment } from "@carrel/testing";

/** Waits until a process has drained and ended; returns what was wrong with that. */
async function end(deployment: Deployment, old: Deployed): Promise<string[]> {
  await deployment.kill(old, "SIGTERM");
  const { exitCode } = old.child;
  return exitCode === 0 ? [] : [`${old.name} ended with ${exitCode}: ${old.log().slice(-1_000)}`];
}

/**
 * Replaces the running replicas of a deployable, one after the other, and returns faults. `first`
 * says what comes first: with `start`, the new replica is ready before the old one is told to stop,
 * as in Kubernetes, which doesn't wait for the old one to end before it replaces the next; with
 * `stop`, the old one has ended, as in Compose.
 */
export async function replaceReplicas(
  deployment: Deployment,
  name: string,
  first: "start" | "stop",
): Promise<string[]> {
  const ending: Promise<string[]>[] = [];
  for (const old of deployment.named(name)) {
    if (first === "start") await deployment.deploy(name);
    ending.push(end(deployment, old));
    if (first === "stop") {
      await ending.at(-1);
      await deployment.deploy(name);
    }
  }
  return (await Promise.all(ending)).flat();
}
