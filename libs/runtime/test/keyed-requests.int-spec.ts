import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createSharedInfrastructure, type SharedInfrastructure } from "../src/index.ts";
import { startService, type RunningService } from "../src/start-service.ts";
import { FixtureInstance } from "./fixture-instance.ts";
import { createItem, fixtureService, scope } from "./fixture-service.ts";

let instance: FixtureInstance;
/** The process that the service runs in. */
let own: SharedInfrastructure;
let service: RunningService;
beforeAll(async () => {
  instance = await FixtureInstance.start(0);
  own = createSharedInfrastructure(instance.config);
  await Promise.all([own.messaging.client.connect(), instance.caller.messaging.client.connect()]);
  service = await startService(fixtureService, instance.config, { shared: own, healthPort: false });
});
afterAll(async () => {
  await service?.stop();
  await own?.close();
  await instance?.stop();
});

const sentOverRedis = async (): Promise<number> => {
  const statistics = await own.messaging.connections.commands.info("commandstats");
  return Number(/cmdstat_xadd:calls=(\d+)/.exec(statistics)?.[1] ?? 0);
};
const countItems = async (name: string): Promise<number> => {
  const { rows } = await instance.sql.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM item WHERE name = $1",
    [name],
  );
  return rows[0]!.count;
};

describe("a keyed request with one copy within the process and one over Redis", () => {
  const callers = {
    "within the process": () => own.messaging.client,
    "over Redis": () => instance.caller.messaging.client,
  };
  it.each([
    ["within the process", "over Redis", 0],
    ["over Redis", "within the process", 0],
    ["within the process", "over Redis", 300],
    ["over Redis", "within the process", 300],
  ] as const)("runs once: first %s, then %s, running for %d ms", async (first, second, delayMs) => {
    const name = `${first}, ${delayMs}`;
    const send = (caller: keyof typeof callers): Promise<{ id: number }> =>
      callers[caller]().request(createItem, { name, delayMs }, { scope, idempotencyKey: name });
    const before = await sentOverRedis();
    const answers =
      delayMs === 0
        ? [await send(first), await send(second)]
        : await Promise.all([send(first), send(second)]);
    expect(answers[1]).toEqual(answers[0]);
    expect(await countItems(name)).toBe(1);
    expect((await sentOverRedis()) - before).toBe(1);
  });
});
