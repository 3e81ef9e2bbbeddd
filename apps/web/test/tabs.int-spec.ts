import { it } from "@jest/globals";
import { poll } from "@carrel/testing";
import { useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const watchers = (count: number): Promise<void> => poll(() => web.gateway.watchers).toBe(count);
const look = (state: "hidden" | "visible"): Promise<void> =>
  web.page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

it("a tab that nobody looks at lets go of its connection, and catches up when it is looked at again", async () => {
  await web.page.clock.install();
  await web.page.goto(web.thread());
  await web.page.getByText("What should we look up?").waitFor();
  await watchers(1);
  await look("hidden");
  await web.page.clock.fastForward(10_000);
  await look("visible"); // a short look elsewhere changes nothing
  await web.page.clock.fastForward(40_000);
  web.gateway.change({
    type: "thread.renamed",
    workspaceId: 1,
    threadId: 12,
    slug: "night",
    name: "Still told",
  });
  await web.page.getByRole("link", { name: "Still told" }).waitFor();
  await look("hidden");
  await web.page.clock.fastForward(31_000);
  await watchers(0);
  web.gateway.workspaces[1]!.name = "Handbook of tenants";
  await look("visible");
  await watchers(1);
  await web.page.getByRole("link", { name: "Handbook of tenants" }).waitFor();
});
