import { slowPages, startInstance, type Instance } from "@carrel/testing";
import { expect, test as base } from "@playwright/test";

export { expect };

interface WorkerFixtures {
  /** Environment of the instance. A file that sets it gets a separate instance. */
  environment: Record<string, string>;
  instance: Instance;
}

/** Tests of the real product: one instance per worker, shared by the files that leave it usable. */
export const test = base.extend<object, WorkerFixtures>({
  environment: [{}, { option: true, scope: "worker" }],
  instance: [
    async ({ environment }, use) => {
      const instance = await startInstance(environment);
      await use(instance);
      await instance.stop();
    },
    { scope: "worker", timeout: 120_000 }, // starts PostgreSQL, Redis and every service
  ],
  baseURL: async ({ instance }, use) => use(instance.url),
  context: async ({ context }, use) => {
    slowPages(context);
    await use(context);
  },
});
