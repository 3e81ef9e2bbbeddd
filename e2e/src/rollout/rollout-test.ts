import type { Deployment, FakeLlm } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { processes } from "../../../tools/services.ts";
import { Balancer } from "./balancer.ts";
import { replaceReplicas } from "./replace-replicas.ts";
import { RolloutLoad, listFailedJobs } from "./rollout-load.ts";

/** What the processes need for a rollout that cuts nothing. */
export const rollable: Record<string, string> = {
  CARREL_DRAIN_SECONDS: "30",
  CARREL_STOP_DELAY_SECONDS: "2",
};

export function testRollout(
  deployment: () => Deployment,
  llm: () => FakeLlm,
  database: () => string,
): void {
  it("a rolling update of everything cuts no answer and fails no request", async () => {
    // Longer than the 5 s of the default.
    llm().behave({ reply: "echo", delayMs: 40 });
    const balancer = await Balancer.start(() => deployment().named("gateway"));
    const load = new RolloutLoad({
      url: balancer.url,
      database: database(),
      words: 130,
      askers: 3,
    });
    try {
      await load.start();
      await load.untilAsked();
      const faults = await Promise.all(
        processes.map((name) => replaceReplicas(deployment(), name, "start")),
      );
      await load.stop();
      const jobs = await listFailedJobs(deployment());
      expect({
        faults: [...faults.flat(), ...load.faults, ...jobs],
        refused: balancer.refused,
      }).toEqual({ faults: [], refused: 0 });
      // Whether a stream has to move depends on when its gateway stops.
      const { reconnects: _moved, ...counts } = load.counts;
      for (const [kind, count] of Object.entries(counts))
        expect({ kind, isBusy: count > 0 }).toEqual({ kind, isBusy: true });
    } finally {
      balancer.stop();
      llm().behave({});
    }
  }, 240_000);
}
