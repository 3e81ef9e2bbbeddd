import { runThroughKills } from "../../test/killed-schedules.ts";

it("runs each of many due schedules once, although replicas are killed", async () => {
  await runThroughKills({ schedules: 60, kills: 2 });
}, 240_000);
