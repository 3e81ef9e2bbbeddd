import type { Page } from "@playwright/test";
import { threadWire } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, phone, settled, test, threadPath } from "./fixtures.ts";
import { deletion, hold, left, menu, named, open, slug } from "./sidebar-page.ts";

/**
 * Opens the page and waits until its change stream has connected and delivered an earlier change,
 * so that from then on only changes alter the list.
 */
const openTold = async (page: Page, gateway: FakeGateway): Promise<void> => {
  let connect = (): void => undefined;
  gateway.changesHeld = new Promise((resolve) => {
    connect = resolve;
  });
  await open(page);
  gateway.threads[slug]!.push(threadWire(99, "Made meanwhile", "meanwhile"));
  const slugs = ["meanwhile"];
  gateway.change({ type: "threads.changed", workspaceId: 1, change: "created", slugs });
  connect();
  await expect(named(page, "Made meanwhile")).toBeVisible();
};
const sent = (gateway: FakeGateway, method: string): string[] =>
  gateway.requests.filter((each) => each.method === method).map((each) => each.path);

test.describe("threads changed on another device", () => {
  const notify = (
    gateway: FakeGateway,
    change: "created" | "deleted" | "restored",
    slugs: string[],
  ): void => gateway.change({ type: "threads.changed", workspaceId: 1, change, slugs });
  test("appear, disappear and return, and an open one that was deleted gives way to the workspace's chat", async ({
    page,
    gateway,
  }) => {
    await openTold(page, gateway);
    const shownThread = gateway.threads[slug]!.find((thread) => thread.slug === "flow")!;
    gateway.threads[slug]!.push(threadWire(91, "Made elsewhere", "elsewhere"));
    notify(gateway, "created", ["elsewhere"]);
    await expect(named(page, "Made elsewhere")).toBeVisible();
    gateway.threads[slug] = gateway.threads[slug]!.filter((thread) => thread !== shownThread);
    notify(gateway, "deleted", ["flow"]);
    await page.waitForURL(`**/workspace/${slug}`);
    await expect(named(page, shownThread.name)).toHaveCount(0);
    gateway.threads[slug].push(shownThread);
    notify(gateway, "restored", ["flow"]);
    await expect(named(page, shownThread.name)).toBeVisible();
  });
});

test("a link begins a thread with a question to complete", async ({ page, gateway }) => {
  const before = gateway.threads[slug]!.length;
  await page.goto(`/workspace/${slug}/new?ask=${encodeURIComponent("About “Lamps”: ")}`);
  await page.waitForURL(new RegExp(`/workspace/${slug}/t/[^/]+$`));
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("About “Lamps”: ");
  await expect.poll(() => gateway.threads[slug]).toHaveLength(before + 1);
  await expect.poll(() => gateway.asked).toEqual([]);
});

test.describe("threads in the sidebar", () => {
  test("list the default thread, names shortened to 25 characters with the full name as title, and New thread", async ({
    page,
    gateway,
  }) => {
    gateway.threads[slug]!.push(threadWire(14, "Balancing the risers of block seven", "long"));
    await open(page);
    await expect(
      page.locator("[data-threads]").locator("a, button:not([aria-haspopup])"),
    ).toHaveText(
      [
        "Default thread",
        "Balancing the risers of…",
        "Noise in the courtyards",
        "Night tariff operation",
        "Flow temperature, blocks",
        "New thread",
      ],
      { useInnerText: true },
    );
    await expect(
      page.getByTitle("Balancing the risers of block seven", { exact: true }),
    ).toHaveCount(1);
    await page
      .locator("[data-threads]")
      .getByRole("button", { name: "New thread", exact: true })
      .click();
    await page.waitForURL("**/t/thread-4");
    gateway.shell.refuse = { kind: "new", words: "too many" };
    await page
      .locator("[data-threads]")
      .getByRole("button", { name: "New thread", exact: true })
      .click();
    await expect(
      page.getByText("Couldn't create the thread: The server didn't accept this."),
    ).toBeVisible();
  });
  test("can be selected while Ctrl or Meta is held; releasing it clears the selection", async ({
    page,
    gateway,
  }) => {
    await open(page);
    for (const key of ["Control", "Meta"]) {
      await expect(page.getByRole("checkbox", { name: /^Select (?!all)/ })).toHaveCount(0);
      await hold(page, key);
      await named(page, "Night tariff").click();
      await page.getByRole("checkbox", { name: "Select Noise in the courtyards" }).click();
      await expect(page.getByRole("button", { name: "Delete selected" })).toBeVisible();
      await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
      await named(page, "Night tariff").click();
      await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(1);
      await page.keyboard.up(key);
      await expect(page.getByRole("button", { name: "Delete selected" })).toHaveCount(0);
      await page.keyboard.down(key);
      await expect(page.getByRole("checkbox").first()).toBeVisible();
      await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
      await page.keyboard.up(key);
    }
    await expect(page).toHaveURL(/\/t\/flow$/);
    await expect.poll(() => sent(gateway, "DELETE")).toEqual([]);
  });
  test("are not selected by a shortcut while typing, but by holding the key even then", async ({
    page,
  }) => {
    await page.clock.install(); // only this test controls how long a key is held
    await open(page);
    await page.getByLabel("Message", { exact: true }).fill("Some words");
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.clock.runFor(1_000);
    await page.clock.resume();
    await settled(page);
    await expect(page.getByRole("checkbox", { name: /^Select (?!all)/ })).toHaveCount(0);
    await page.keyboard.up("Control");
    await page.keyboard.down("Control");
    await expect(
      page.getByRole("checkbox", { name: "Select Night tariff operation" }),
    ).toBeVisible();
    await page.keyboard.up("Control");
    await expect(page.getByRole("checkbox", { name: "Select Night tariff operation" })).toHaveCount(
      0,
    );
    await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Some words");
  });
  test("are deleted together, and the workspace's chat opens if the open one was among them", async ({
    page,
    gateway,
  }) => {
    await open(page);
    await hold(page);
    await named(page, "Noise").click();
    await named(page, "Flow temperature").click();
    await page.getByRole("button", { name: "Delete selected" }).click();
    await page.keyboard.up("Control");
    await page.waitForURL(`**/workspace/${slug}`);
    await expect(named(page, "Noise")).toHaveCount(0);
    await expect
      .poll(() => [left(gateway), sent(gateway, "DELETE")])
      .toEqual([["night"], [`/workspace/${slug}/thread-bulk-delete`]]);
    await expect(page.getByText("Thread deleted.")).toBeVisible();
  });
  test("leave the open one alone if it is not among them", async ({ page, gateway }) => {
    await open(page);
    await hold(page);
    await named(page, "Noise").click();
    await page.getByRole("button", { name: "Delete selected" }).click();
    await page.keyboard.up("Control");
    await expect(page.getByText("Thread deleted.")).toBeVisible();
    await expect(named(page, "Noise")).toHaveCount(0);
    await expect
      .poll(() => [left(gateway), page.url().endsWith("/t/flow")])
      .toEqual([["flow", "night"], true]);
  });
  test.describe(() => {
    test.use({ reducedMotion: "reduce" });
    test("are deleted after a confirmation with the exact text, and stay visible as deleted for half a second", async ({
      page,
      gateway,
    }) => {
      await open(page);
      await menu(page, "Noise", "Delete thread");
      await expect(page.getByText(deletion, { exact: true })).toBeVisible();
      await page.getByRole("button", { name: "Cancel" }).click();
      await menu(page, "Noise", "Delete thread");
      const gone = page.evaluate(
        () =>
          new Promise<{ animation: string; milliseconds: number }>((resolve) => {
            let animation: string | null = null;
            let from = 0;
            new MutationObserver(() => {
              const row = document.querySelector("[data-threads] [data-removed]");
              if (row) {
                animation ??= getComputedStyle(row).animationName;
                from ||= performance.now();
              } else if (animation !== null)
                resolve({ animation, milliseconds: performance.now() - from });
            }).observe(document.body, { subtree: true, childList: true, attributes: true });
          }),
      );
      await page.getByRole("button", { name: "Delete thread" }).click();
      const { animation, milliseconds } = await gone;
      expect(animation).toBe("none");
      expect(milliseconds).toBeGreaterThan(250);
      await expect(page.getByText("Thread deleted.")).toBeVisible();
      await expect
        .poll(() => [left(gateway), sent(gateway, "DELETE"), page.url().endsWith("/t/flow")])
        .toEqual([["flow", "night"], [`/workspace/${slug}/thread/noise`], true]);
      gateway.shell.refuse = { kind: "delete", words: "no" };
      await menu(page, "Night", "Delete thread");
      await page.getByRole("button", { name: "Delete thread" }).click();
      await expect(page.getByText("Couldn't delete the thread.")).toBeVisible();
      await expect(named(page, "Night tariff")).toHaveCount(1);
    });
  });
  test("are renamed; blank or cancelled does nothing, and a failure is explained and keeps what was typed", async ({
    page,
    gateway,
  }) => {
    await open(page);
    await menu(page, "Night", "Rename");
    const field = page.getByRole("textbox", { name: "Name" });
    await field.fill("   ");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await menu(page, "Night", "Rename");
    await expect(field).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(field).toHaveCount(0);
    await expect
      .poll(() => sent(gateway, "POST").filter((path) => path.endsWith("/update")))
      .toEqual([]);
    gateway.shell.refuse = { kind: "rename", words: "the name is taken" };
    await menu(page, "Night", "Rename");
    await field.fill("Cheap hours");
    await page.keyboard.press("Enter");
    await expect(
      page.getByText("Couldn't update the thread: The server didn't accept this."),
    ).toBeVisible();
    await expect(field).toHaveValue("Cheap hours");
    await page.keyboard.press("Enter");
    await expect(named(page, "Cheap hours")).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Menu for Cheap hours");
  });
  test("take the name given in another tab or on another device", async ({ page, gateway }) => {
    await openTold(page, gateway);
    gateway.change({
      type: "thread.renamed",
      workspaceId: 1,
      threadId: 12,
      slug: "night",
      name: "Renamed elsewhere",
    });
    await expect(named(page, "Renamed elsewhere")).toBeVisible();
    gateway.threads[slug]!.unshift(threadWire(40, "Made elsewhere", "made"));
    gateway.change({
      type: "thread.renamed",
      workspaceId: 1,
      threadId: 40,
      slug: "made",
      name: "Made elsewhere",
    });
    await expect(named(page, "Made elsewhere")).toBeVisible();
  });
  test.describe(() => {
    test.use(phone);
    test("are selected and deleted by touch", async ({ page, gateway }) => {
      await page.goto(threadPath);
      await page.getByRole("button", { name: "Open sidebar" }).tap();
      await page.getByRole("button", { name: "Menu for Noise" }).tap();
      await page.getByRole("menuitem", { name: "Select threads" }).tap();
      await page.getByRole("checkbox", { name: "Select Night tariff operation" }).tap();
      await page.getByRole("button", { name: "Delete selected" }).tap();
      await expect(
        page.getByText("All of their messages will be deleted. You can't undo this."),
      ).toBeVisible();
      await page.getByRole("button", { name: "Delete 2 threads" }).tap();
      await expect(page.getByText("Thread deleted.")).toBeVisible();
      await expect.poll(() => left(gateway)).toEqual(["flow"]);
      await expect(page.getByRole("checkbox", { name: /^Select (?!all)/ })).toHaveCount(0);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  });
});
