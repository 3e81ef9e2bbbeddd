import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { expect, settled, test } from "./fixtures.ts";
import { hold, named, open, slug } from "./sidebar-page.ts";

test.describe("palette", () => {
  const field = (page: Page): Locator => page.getByPlaceholder("Search workspaces");
  const show = async (page: Page): Promise<void> => {
    await page.keyboard.press("Control+k");
    await expect(field(page)).toBeVisible();
  };
  const place = { slug, name: "Heat-pump retrofit" };
  test("lists recent places first, without the current one", async ({ page }) => {
    await open(page);
    await named(page, "Night").click();
    await page.waitForURL("**/t/night");
    const recorded = expect.poll(() =>
      page.evaluate(
        () => JSON.parse(localStorage.getItem("carrel_recent_places") ?? "{}").places?.length,
      ),
    );
    // A page that is left at once isn't recorded.
    await recorded.toBe(2);
    await page.locator("[data-workspace]").getByRole("link", { name: "Tenant handbook" }).click();
    await page.waitForURL("**/tenant-handbook");
    await expect(page.getByLabel("Message", { exact: true })).toBeVisible();
    await recorded.toBe(3);
    await show(page);
    const first = page.locator("[cmdk-group]").first();
    await expect.poll(() => first.locator("[cmdk-group-heading]").innerText()).toBe("Recent");
    await expect(first.locator("[cmdk-item]")).toHaveText(
      [/Night tariff operation/, /Flow temperature, blocks/],
      { useInnerText: true },
    );
    await page.keyboard.press("Enter");
    await page.waitForURL("**/t/night");
  });
  test("finds workspaces, threads and messages from three characters on, and highlights matches", async ({
    page,
    gateway,
  }) => {
    gateway.shell.found = {
      workspaces: [{ slug: "supplier-contracts", name: "Supplier contracts" }],
      threads: [{ slug: "flow", name: "Flow temperature, blocks", workspace: place }],
      messages: [
        {
          chatId: 101,
          threadSlug: "night",
          threadName: "Night tariff operation",
          workspace: place,
          excerpt: "the radiators cover their room at 48 °C <b>and</b> no more",
          sentAt: Date.now() - 7_200_000,
        },
      ],
    };
    await page.clock.install();
    await open(page);
    await show(page);
    await field(page).pressSequentially("ra");
    await page.clock.fastForward(1_000);
    await settled(page);
    await expect.poll(() => gateway.shell.terms).toEqual([]);
    // Letter by letter without a pause, which only scripted input can guarantee.
    await field(page).evaluate((input: HTMLInputElement) => {
      const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
      for (const text of ["rad", "radi", "radia", "radiat"]) {
        write.call(input, text);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    const message = page.getByRole("option", { name: /radiators cover their room/ });
    await expect(message).toBeVisible();
    await expect.poll(() => gateway.shell.terms).toEqual(["radiat"]);
    await expect(message.locator("mark")).toHaveText(["radiat"], { useInnerText: true });
    await expect.poll(() => message.innerText()).toContain("<b>and</b>");
    await expect(page.locator("[cmdk-group-heading]")).toHaveText(
      ["Workspaces", "Threads", "Messages", "Documents"],
      { useInnerText: true },
    );
    await expectAccessible(page);
  });
  test("finds documents and opens them, as often as asked", async ({ page }) => {
    await open(page);
    for (let time = 0; time < 2; time += 1) {
      await show(page);
      await field(page).fill("survey");
      await page.getByRole("option", { name: /Retrofit survey 2024\.pdf/ }).click();
      await page.waitForURL(`**/workspace/${slug}/documents#document-*`);
      const panel = page.locator("[data-panel]");
      await expect(panel.getByText("Retrofit survey 2024.pdf").first()).toBeVisible();
      await expect(panel).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(panel).toHaveCount(0);
      await page.waitForURL(`**/workspace/${slug}/documents`);
    }
  });
  test("finds actions by the words that people use for them", async ({ page, gateway }) => {
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await open(page);
    await show(page);
    const markdown = page.getByRole("option", { name: /^Export as Markdown/ });
    await field(page).fill("download");
    await expect(markdown).toBeVisible();
    await field(page).fill("2fa");
    await page.getByRole("option", { name: /^Two-factor authentication/ }).click();
    const account = page.getByRole("dialog", { name: "Account" });
    await expect(account.getByRole("tab", { name: "Security" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
  });
  test("finds settings pages by what they hold, and opens them", async ({ page }) => {
    await open(page);
    await show(page);
    await field(page).fill("developer api");
    await expect(page.locator("[cmdk-group-heading]")).toHaveText(["Settings"]);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings/api-keys");
    await expect(page.getByRole("heading", { name: "API keys", exact: true })).toBeVisible();
    await open(page);
    await show(page);
    await field(page).fill("chat settings");
    await page.getByRole("option", { name: "Chat settings Heat-pump retrofit" }).click();
    await page.waitForURL(`**/workspace/${slug}/settings/chat-settings`);
  });
  for (const [role, found] of [
    ["default", []],
    ["manager", ["Security", "Users"]],
    ["admin", ["Security", "Users", "API keys"]],
  ] as const)
    test(`offers a ${role} only settings pages that the role may open`, async ({
      page,
      gateway,
    }) => {
      gateway.accounts.add("jo", role);
      await signedIn(page, gateway, "jo");
      await open(page);
      await show(page);
      for (const name of ["Security", "Users", "API keys"]) {
        await field(page).fill(name);
        const listed = (found as readonly string[]).includes(name);
        await expect(
          page.getByText(listed ? "Settings" : "No results.", { exact: true }).last(),
        ).toBeVisible();
        await expect(page.getByRole("option", { name: new RegExp(`^${name}`) })).toHaveCount(
          listed ? 1 : 0,
        );
      }
    });
  test("is joined by a search for settings pages by what they hold", async ({ page }) => {
    await page.goto("/settings/text-splitter-preference");
    const search = page.getByRole("searchbox", { name: "Search settings" });
    await search.fill("logo");
    const links = page
      .getByRole("group", { name: /AI providers|Admin|Appearance|Tools/ })
      .getByRole("link");
    await expect(links).toHaveText(["Appearance"]);
    await search.fill("nothing at all");
    await expect(page.getByText("No settings match “nothing at all”.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(links).not.toHaveCount(0);
    await expectAccessible(page);
  });
  test("aborts outdated searches, and says that it is searching or found nothing", async ({
    page,
    gateway,
  }) => {
    let answer = (): void => undefined;
    gateway.shell.searchHeld = new Promise((resolve) => {
      answer = resolve;
    });
    await open(page);
    await show(page);
    await field(page).fill("abcd");
    await expect(page.getByText("Searching")).toBeVisible();
    await expect.poll(() => gateway.shell.terms).toContain("abcd");
    await field(page).fill("abcdef");
    await expect.poll(() => gateway.shell.terms).toContain("abcdef");
    await expect.poll(() => gateway.shell.abandoned).toContain("abcd");
    answer();
    await expect(page.getByText("No results.")).toBeVisible();
  });
  test("opens the thread at the message, loading earlier pages as needed", async ({
    page,
    gateway,
  }) => {
    for (let n = 1; n <= 120; n += 1)
      gateway.addTurn(slug, "night", {
        question: `Question ${n}.`,
        answer: `Answer ${n}.\n\n${"It goes on. ".repeat((n * 7) % 60)}`,
      });
    const wanted = gateway.turns[`${slug}/night`]![14]!;
    gateway.shell.found = {
      workspaces: [],
      threads: [],
      messages: [
        {
          chatId: wanted.id,
          threadSlug: "night",
          threadName: "Night tariff operation",
          workspace: place,
          excerpt: "Question 15.",
          sentAt: Date.now(),
        },
      ],
    };
    await open(page);
    await show(page);
    await field(page).fill("question");
    await page.getByRole("option", { name: /Question 15\./ }).click();
    await page.waitForURL(`**/t/night#chat-${wanted.id}`);
    const log = page.getByRole("log");
    await expect(log.getByText("Question 15.", { exact: true })).toBeVisible();
    const below = async (): Promise<number> =>
      (await log.getByText("Question 15.", { exact: true }).boundingBox())!.y -
      (await log.boundingBox())!.y;
    await expect
      .poll(async () => {
        const y = await below();
        return y > -5 && y < 200 ? "at the top" : y;
      })
      .toBe("at the top");
  });
});

test.describe("palette and sidebar", () => {
  test("is accessible: marks, menu, palette", async ({ page, gateway }) => {
    gateway.shell.trashDays = 7;
    await open(page);
    await hold(page);
    await named(page, "Noise").click();
    await expect(page.getByRole("button", { name: "Delete selected" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.up("Control");
    await page.keyboard.press("Control+k");
    await expect(page.getByPlaceholder("Search workspaces")).toBeVisible();
    await expectAccessible(page);
  });
});
