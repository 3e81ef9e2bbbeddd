import { promisify } from "node:util";
import { createContentClient } from "@carrel/egress";
import { expect, it } from "@jest/globals";

const ownPorts = [143, 993];

it("finds the checked addresses only, whatever the name resolves to later", async () => {
  const answers = ["192.0.43.8", "127.0.0.1"];
  const client = createContentClient({
    resolve: () => Promise.resolve([{ address: answers.shift()!, family: 4 }]),
  });
  const lookup = await client.lookUp({ host: "mail.test", port: 993, ownPorts });
  const find = promisify(lookup) as (host: string, options: object) => Promise<unknown>;
  expect(await find("mail.test", { all: true })).toEqual([{ address: "192.0.43.8", family: 4 }]);
  await expect(client.lookUp({ host: "mail.test", port: 993, ownPorts })).rejects.toMatchObject({
    fault: { code: "egress.not-public" },
  });
});

it("refuses ports of other services, and ends with its caller", async () => {
  const client = createContentClient({ resolve: () => new Promise(() => undefined) });
  await expect(client.lookUp({ host: "mail.test", port: 25, ownPorts })).rejects.toMatchObject({
    fault: { code: "egress.port-refused", params: { port: "25" } },
  });
  await expect(
    client.lookUp({ host: "mail.test", port: 993, ownPorts, signal: AbortSignal.abort("left") }),
  ).rejects.toBe("left");
  await expect(
    createContentClient({ resolve: () => new Promise(() => undefined), timeoutMs: 1 }).lookUp({
      host: "mail.test",
      port: 993,
      ownPorts,
    }),
  ).rejects.toMatchObject({ fault: { code: "egress.timed-out" } });
});
