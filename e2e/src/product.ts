import {
  slowPages,
  startFakeLlm,
  startInstance,
  type FakeBehaviour,
  type FakeLlm,
  type Instance,
} from "@carrel/testing";
import { expect, test as base, type Page } from "@playwright/test";
import { Api } from "./api.ts";
import { ChatPage } from "./chat-page.ts";

export { expect };

/** A vendor slow enough to observe, whose answer never finishes before it is stopped. */
export const endless: FakeBehaviour = { tokens: 20_000, delayMs: 40 };

/** The workspace of most serial files, and its path. */
export const slug = "harbour-house";
export const home = `/workspace/${slug}`;

/** The environment of files whose pages and servers are on loopback: they share an instance. */
export const loopback: Record<string, string> = {
  CARREL_LINK_ALLOW: "127.0.0.1",
  // A watched page is checked again within seconds unless a person chooses another interval.
  CARREL_SYNC_STALE_SECONDS: "2",
  CARREL_SYNC_POLL_SECONDS: "0.2",
};

export interface Product {
  instance: Instance;
  api: Api;
  vendor: FakeLlm;
  /** Makes the fake vendor the language model. */
  useVendor(): Promise<void>;
}

interface Fixtures {
  chat: ChatPage;
  /** HTTP statuses that a test causes on purpose; any other status from 400 on fails it. */
  expectedStatuses: number[];
  watch: (page: Page) => void;
}
interface WorkerFixtures {
  /** Environment of the instance. A file that sets it gets a separate instance. */
  environment: Record<string, string>;
  product: Product;
}

/** Tests of the real product: one instance per worker, shared by the files that leave it usable. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  environment: [{}, { option: true, scope: "worker" }],
  product: [
    async ({ environment }, use) => {
      const [instance, vendor] = await Promise.all([
        startInstance(environment),
        startFakeLlm({ models: ["harbour-small", "harbour-large"] }),
      ]);
      const api = new Api(instance.url);
      await use({
        instance,
        api,
        vendor,
        useVendor: async () => {
          await api.json("POST", "/system/update-env", {
            LLMProvider: "generic-openai",
            GenericOpenAiBasePath: `${vendor.url}/v1`,
            GenericOpenAiModelPref: "harbour-small",
            GenericOpenAiTokenLimit: "8192",
          });
        },
      });
      await vendor.stop();
      await instance.stop();
    },
    { scope: "worker", timeout: 120_000 }, // starts PostgreSQL, Redis and every service
  ],
  baseURL: async ({ product }, use) => use(product.instance.url),
  context: async ({ context }, use) => {
    slowPages(context);
    await use(context);
  },
  expectedStatuses: async ({ browserName: _ }, use) => use([]),
  /** Fails the test on script errors, console errors and failed requests of the page. */
  watch: async ({ expectedStatuses }, use) => {
    const faults: string[] = [];
    await use((page) => {
      page.on("console", (message) => {
        if (
          message.type() === "error" &&
          !expectedStatuses.some((status) => message.text().includes(`status of ${status}`))
        )
          faults.push(`console: ${message.text()}`);
      });
      page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
      page.on("response", (response) => {
        if (response.status() >= 400 && !expectedStatuses.includes(response.status()))
          faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
      });
      // Requests that the page itself aborts (leaving, reloading) are not failures.
      page.on("requestfailed", (request) => {
        if (request.failure()?.errorText !== "net::ERR_ABORTED")
          faults.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`);
      });
    });
    expect(faults).toEqual([]);
  },
  page: async ({ page, watch }, use) => {
    watch(page);
    await use(page);
  },
  chat: async ({ page, product }, use) => use(new ChatPage(page, product)),
});
