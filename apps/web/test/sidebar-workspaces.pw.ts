import type { Locator, Page } from "@playwright/test";
import { threadWire } from "./fake-data.ts";
import { expect, phone, settled, test } from "./fixtures.ts";
import { left, menu, named, open, slug } from "./sidebar-page.ts";

test.describe("workspaces", () => {
  const listed = (page: Page): Promise<string[]> =>
    page.locator("[data-workspace] > div:first-child a > [title]").allInnerTexts();
  const stored = (page: Page): Promise<string | null> =>
    page.evaluate(() => localStorage.getItem("anythingllm-workspace-order"));
  test("appear in the order stored in this browser, in the format of existing clients; new ones first", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      if (!localStorage.getItem("anythingllm-workspace-order"))
        localStorage.setItem("anythingllm-workspace-order", "[3,1]");
    });
    await open(page);
    await expect
      .poll(() => listed(page))
      .toEqual(["Tenant handbook", "Supplier contracts", "Heat-pump retrofit"]);
  });
  test("are moved from the menu and by keyboard, and the move is announced", async ({ page }) => {
    await open(page);
    await menu(page, "Heat-pump", "Move down");
    await expect
      .poll(async () => [await listed(page), await stored(page)])
      .toEqual([["Tenant handbook", "Heat-pump retrofit", "Supplier contracts"], "[2,1,3]"]);
    await expect(
      page.getByRole("status").filter({ hasText: "Heat-pump retrofit is now 2 of 3." }),
    ).toBeAttached();
    await page
      .locator("[data-workspace] > div:first-child")
      .getByRole("link", { name: "Supplier contracts" })
      .focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await expect
      .poll(async () => [await listed(page), await stored(page)])
      .toEqual([["Supplier contracts", "Tenant handbook", "Heat-pump retrofit"], "[3,2,1]"]);
    await expect(
      page.getByRole("status").filter({ hasText: "Supplier contracts is now 1 of 3." }),
    ).toBeAttached();
    await page.reload();
    await expect(named(page, "Night")).toBeVisible();
    await expect
      .poll(() => listed(page))
      .toEqual(["Supplier contracts", "Tenant handbook", "Heat-pump retrofit"]);
  });
  test("are dragged; Esc cancels, and dropping one does not open the workspace", async ({
    page,
  }) => {
    await open(page);
    const row = (name: string): Locator =>
      page.locator("[data-workspace] > div:first-child").getByRole("link", { name });
    const drag = async (name: string, to: string): Promise<void> => {
      const from = (await row(name).boundingBox())!;
      const goal = (await row(to).boundingBox())!;
      await page.mouse.move(from.x + 40, from.y + 12);
      await page.mouse.down();
      let moves = 0;
      await expect
        .poll(async () => {
          moves += 1;
          await page.mouse.move(from.x + 40, from.y - 4 - (moves % 2));
          return page.locator("[data-workspace][data-dragged]").count();
        })
        .toBe(1); // drag-and-drop code is loaded when the pointer approaches
      await page.mouse.move(goal.x + 40, goal.y + 2, { steps: 4 });
    };
    await drag("Supplier contracts", "Heat-pump retrofit");
    await expect(page.locator('[data-workspace][data-drop="before"]')).toBeVisible();
    await page.mouse.up();
    await expect
      .poll(async () => [await listed(page), await stored(page)])
      .toEqual([["Supplier contracts", "Heat-pump retrofit", "Tenant handbook"], "[3,1,2]"]);
    await drag("Tenant handbook", "Supplier contracts");
    await expect(page.locator("[data-workspace][data-drop]")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-workspace][data-drop]")).toHaveCount(0);
    await page.mouse.up();
    await settled(page);
    await expect
      .poll(async () => [
        await stored(page),
        page.url().endsWith("/t/flow") || page.url().endsWith("/tenant-handbook"),
      ])
      .toEqual(["[3,1,2]", true]);
    await row("Tenant handbook").click();
    await page.waitForURL("**/workspace/tenant-handbook");
  });
  for (const [width, options] of [
    ["wide", {}],
    ["phone", phone],
  ] as const)
    test.describe(() => {
      test.use(options);
      test(`fit the page and its dialogs, however long their names are (${width})`, async ({
        page,
        gateway,
      }) => {
        gateway.workspaces[0]!.name = "x".repeat(250);
        gateway.documents[slug] = [];
        await page.goto(`/workspace/${slug}`);
        await expect(page.getByRole("heading", { name: /xxx/, level: 2 })).toBeVisible();
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
          .toBe(0);
        if (width === "phone") await page.getByRole("button", { name: "Open sidebar" }).click();
        await menu(page, "xxx", "Delete workspace");
        const dialog = page.getByRole("dialog", { name: /^Delete/ });
        const box = (await dialog.boundingBox())!;
        for (const name of ["Cancel", "Delete workspace"]) {
          const button = (await dialog.getByRole("button", { name }).boundingBox())!;
          expect(button.x).toBeGreaterThan(box.x);
          expect(button.x + button.width).toBeLessThan(box.x + box.width);
        }
        expect(await dialog.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
      });
    });
  test("show their picture, and a menu of permitted actions", async ({ page, gateway }) => {
    gateway.workspaces[1]!.pfpFilename = "picture.webp";
    await open(page);
    await expect(page.locator("[data-workspace] img")).toBeVisible();
    await expect(page.locator("[data-workspace] img")).toHaveCount(1);
    await page.getByRole("button", { name: "Menu for Heat-pump" }).click();
    await expect(page.getByRole("menuitem", { name: "Documents" })).toBeVisible();
    await expect(page.getByRole("menuitem")).toHaveText(
      [
        "Workspace settings",
        "Documents",
        "New thread",
        "Scheduled work",
        "Move up",
        "Move down",
        "Rename",
        "Delete workspace",
      ].map((text) => new RegExp(text)),
      { useInnerText: true },
    );
    await page.getByRole("menuitem", { name: "Workspace settings" }).click();
    await page.waitForURL(`**/workspace/${slug}/settings/general-appearance`);
  });
});

test.describe("a thousand threads", () => {
  test.beforeEach(async ({ gateway }) => {
    gateway.threads[slug] = [
      ...gateway.threads[slug]!,
      ...Array.from({ length: 997 }, (_, n) => ({
        ...threadWire(1000 + n, `Conversation ${n + 1}`, `c${n + 1}`),
        // One minute apart, the first one last.
        lastUpdatedAt: new Date(Date.UTC(2026, 10, 12, 8) - n * 60_000).toISOString(),
      })),
    ];
  });
  const rows = (page: Page): Promise<number> => page.locator("[data-thread]").count();
  test("render only those in view, with the open one in view", async ({ page }) => {
    await open(page);
    await expect.poll(() => rows(page)).toBe(12);
    await page.getByRole("button", { name: "Show 988 more" }).click();
    await expect(page.locator("[data-thread-rows]")).toBeVisible();
    await expect(named(page, "Conversation 20")).toBeVisible();
    await expect.poll(() => rows(page)).toBeLessThan(70);
    // The open one was in view.
    await expect
      .poll(() => page.locator("[data-slot=sidebar] nav").evaluate((box) => box.scrollTop))
      .toBe(0);
    await menu(page, "Night", "Rename");
    await page.getByRole("textbox", { name: "Name" }).fill("Cheap hours");
    await page.keyboard.press("Enter");
    await expect(named(page, "Cheap hours")).toBeVisible();
    await page.locator("[data-slot=sidebar] nav").evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await expect(
      page.locator("[data-threads]").getByRole("button", { name: "New thread", exact: true }),
    ).toBeVisible();
    await named(page, "Conversation 997").click();
    await page.waitForURL("**/t/c997");
    await page.goto(`/workspace/${slug}/t/c500`);
    const current = page.locator('[data-threads] [aria-current="page"]');
    await expect.poll(() => current.innerText()).toBe("Conversation 500");
    await expect
      .poll(async () => {
        const [side, row] = [
          (await page.locator("[data-slot=sidebar] nav").boundingBox())!,
          (await current.boundingBox())!,
        ];
        return row.y >= side.y && row.y + row.height <= side.y + side.height
          ? "in view"
          : [side, row];
      })
      .toBe("in view");
    await expect.poll(() => rows(page)).toBeLessThan(70);
    await expect.poll(() => page.locator("[data-slot=sidebar] *").count()).toBeLessThan(1500);
  });
  test("can all be selected and deleted at once", async ({ page, gateway }) => {
    await open(page);
    await menu(page, "Night", "Select threads");
    await page.getByRole("button", { name: "Select all", exact: true }).click();
    const from = Date.now();
    await expect(page.getByRole("button", { name: "Delete selected 1000" })).toBeVisible();
    expect(Date.now() - from).toBeLessThan(20_000);
    await page.getByRole("button", { name: "Delete selected 1000" }).click();
    await page.getByRole("button", { name: "Delete 1000 threads" }).click();
    await page.waitForURL(`**/workspace/${slug}`);
    await expect.poll(() => left(gateway)).toEqual([]);
  });
});
