import { it } from "@jest/globals";
import { runThroughKills } from "../../test/killed-schedules.ts";

it("runs each of a thousand due schedules once, although replicas are killed again and again", async () => {
  await runThroughKills({ schedules: 1_000, kills: 10 });
}, 1_800_000);
