import { CarrelError, type Args, type Operation } from "@carrel/contracts";
import { afterEach, describe, expect, it } from "@jest/globals";
import { FixtureInstance } from "./fixture-instance.ts";
import { createItem, echo, record, scope } from "./fixture-service.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("killing and restarting Redis under load", () => {
  let instance: FixtureInstance | undefined;
  afterEach(async () => {
    await instance?.stop();
    instance = undefined;
  });

  it.each([{ keepData: true }, { keepData: false }])(
    "gives every caller an answer or a typed error within its deadline (keepData: $keepData)",
    async ({ keepData }) => {
      instance = await FixtureInstance.start(2);
      const { client } = instance.caller.messaging;
      const outcomes: { name: string; code: string; lateBy: number }[] = [];
      const calls: Promise<void>[] = [];
      let sent = 0;
      const call = <Op extends Operation>(operation: Op, input: Args<Op>): void => {
        sent += 1;
        const deadline = Date.now() + 20_000;
        calls.push(
          client
            .request(operation, input, { scope, deadline })
            .then(
              () => "ok",
              (error: unknown) =>
                error instanceof CarrelError ? error.kind : `untyped: ${String(error)}`,
            )
            .then((code) => {
              outcomes.push({ name: operation.name, code, lateBy: Date.now() - deadline });
            }),
        );
      };
      let index = 0;
      const load = setInterval(() => {
        index += 1;
        call(echo, { text: "load", delayMs: index % 5 === 0 ? 200 : 0 });
        call(record, { id: `run ${index}` });
        call(createItem, { name: `item ${index}` });
      }, 20);
      await wait(1_000);
      await instance.redis.kill();
      await wait(1_200);
      await instance.redis.restart({ keepData });
      await wait(2_500);
      clearInterval(load);
      await Promise.all(calls);

      expect(outcomes.length).toBe(sent);
      expect(
        outcomes.filter(
          ({ code }) => !["ok", "TIMEOUT", "SERVICE_LOST", "UNAVAILABLE", "BUSY"].includes(code),
        ),
      ).toEqual([]);
      expect(Math.max(...outcomes.map(({ lateBy }) => lateBy))).toBeLessThan(10_000);
      // Requests safe to repeat are sent again automatically, so they all succeed.
      const summary = outcomes.reduce<Record<string, number>>(
        (all, { name, code }) => ({
          ...all,
          [`${name} ${code}`]: (all[`${name} ${code}`] ?? 0) + 1,
        }),
        {},
      );
      if (process.env.CARREL_TEST_VERBOSE) process.stderr.write(`${JSON.stringify(summary)}\n`);
      expect(
        outcomes.filter(({ name, code }) => name !== record.name && code !== "ok").length,
      ).toBe(0);
      const [runs, items] = [await instance.count("run"), await instance.count("item")];
      expect(runs.rows).toBe(runs.distinct);
      expect(items).toEqual({ rows: index, distinct: index });
      for (let again = 0; again < 20; again += 1)
        expect((await client.request(echo, { text: "after" }, { scope })).text).toBe("after");
    },
  );
});
