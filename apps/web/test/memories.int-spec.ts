import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Locator, Page } from "playwright-core";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { fillMemories, memoriesScreens, openMemories } from "./memories-screens.ts";
import { focused, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const slug = "heat-pump-retrofit";
let gateway: FakeGateway;
let page: Page;
const take = (): void => {
  ({ gateway, page } = web);
};
beforeEach(take);
const dialog = (): Locator => page.getByRole("dialog", { name: "Memories" });
const part = (name: string): Locator => dialog().getByRole("region", { name });
const texts = (name: string): Promise<string[]> =>
  part(name).locator(".memory-text").allTextContents();
const here = "In Heat-pump retrofit";
const button = (name: string | RegExp): Locator => dialog().getByRole("button", { name });

describe("personalization", () => {
  const row = (name: string): Locator => page.getByRole("switch", { name, exact: true });
  it("is switched on by an admin, with the keyboard, and only then people find their memories", async () => {
    await page.goto(web.thread());
    await page.getByRole("button", { name: "Menu of this thread" }).click();
    await page.getByRole("menuitem", { name: "Export as JSON" }).waitFor();
    await poll(() => page.getByRole("menuitem").count()).toBe(3);
    await page.goto(`${gateway.url}/settings/appearance`);
    await page.getByRole("link", { name: "Personalization" }).click();
    await row("Memories").waitFor();
    await poll(() => row("Memories").getAttribute("aria-checked")).toBe("false");
    await poll(() => row("Let the model note memories").isDisabled()).toBe(true);
    await row("Memories").focus();
    await page.keyboard.press("Space");
    await page.getByText("Memories are on.").waitFor();
    await poll(() => row("Let the model note memories").getAttribute("aria-checked")).toBe("true"); // the instance's own default
    await focused(row("Memories"));
    gateway.memories.refuse = { status: 500, message: "PostgreSQL is away" };
    await row("Let the model note memories").click();
    await page.getByText("The change could not be saved: PostgreSQL is away").waitFor();
    await poll(() => row("Let the model note memories").getAttribute("aria-checked")).toBe("true");
    await row("Let the model note memories").click();
    await page.getByText("The model notes no memories any more.").waitFor();
    expect(gateway.memories.sent.map(({ body }) => body)).toEqual([
      { memory_enabled: "true" },
      { memory_auto_extraction: "false" },
      { memory_auto_extraction: "false" },
    ]);
    await page.getByRole("link", { name: "Back to workspaces" }).click();
    await page.getByRole("button", { name: "Menu of this thread" }).click();
    await page.getByRole("menuitem", { name: "Memories" }).waitFor();
  });
  it("is not for managers to switch, and for everyone to use", async () => {
    gateway.memories.enabled = true;
    gateway.admin.fill();
    gateway.accounts.setup = gateway.memories.settings;
    await signedIn(page, gateway, "olu");
    await page.goto(`${gateway.url}/settings/personalization`);
    await page.waitForURL(`${gateway.url}/workspace/${slug}`);
    await page.goto(`${gateway.url}/settings/appearance`);
    await page.getByRole("link", { name: "Appearance" }).waitFor();
    await poll(() => page.getByRole("link", { name: "Personalization" }).count()).toBe(0);
  });
});

describe("memories", () => {
  it("are added, and changed in their place, with the keyboard", async () => {
    gateway.memories.enabled = true;
    await openMemories(page, gateway);
    await dialog().getByText("There are none yet.").waitFor();
    await dialog().getByText("do not use memories").waitFor(); // the built-in answers
    await part(here).getByText("0 of 20").waitFor();
    await button("Add memory in Heat-pump retrofit").focus();
    await page.keyboard.press("Enter");
    await focused(dialog().getByLabel("New memory"));
    await page.keyboard.type("  Works on the harbour blocks. ");
    await page.keyboard.press("Enter");
    await poll(() => texts(here)).toEqual(["Works on the harbour blocks."]);
    await part(here).getByText("1 of 20").waitFor();
    await focused(button("Add memory in Heat-pump retrofit"));
    await button(/^Edit “Works/).click();
    await focused(dialog().getByLabel("Memory", { exact: true }));
    await page.keyboard.type(" Until spring.");
    gateway.memories.refuse = { status: 400, message: "A memory can have at most 500 characters." };
    await page.keyboard.press("Enter");
    await dialog()
      .getByRole("alert")
      .getByText("A memory can have at most 500 characters.")
      .waitFor();
    await poll(() => dialog().getByLabel("Memory", { exact: true }).inputValue()).toBe(
      "Works on the harbour blocks. Until spring.",
    );
    await page.keyboard.press("Enter");
    await poll(() => texts(here)).toEqual(["Works on the harbour blocks. Until spring."]);
    await focused(button(/^Edit “Works/));
  });

  it("give up what is being written first, and close only then", async () => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    await dialog().getByText("The model also notes by itself").waitFor();
    await button(/^Edit “Figures/).click();
    await focused(dialog().getByLabel("Memory", { exact: true }));
    await page.keyboard.type(" Not this.");
    await page.keyboard.press("Escape");
    await focused(button(/^Edit “Figures/));
    await poll(() => texts("Everywhere")).toEqual([
      "Figures in SI units, please, with the page they come from.",
    ]);
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    expect(gateway.memories.sent).toEqual([]);
  });

  it("go everywhere and back, and what the instance refuses is said", async () => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    await button(/^Use everywhere: “Works/).click();
    await page.getByText("Used everywhere from now on.").waitFor();
    await poll(() => texts("Everywhere")).toEqual(
      expect.arrayContaining(["Works on the three blocks at the harbour until spring."]),
    );
    await focused(button(/^Only in Heat-pump retrofit: “Works/));
    await page.keyboard.press("Enter");
    await page.getByText("Used only in Heat-pump retrofit from now on.").waitFor();
    await poll(() => texts(here)).toHaveLength(2);
    for (let more = 0; more < 4; more += 1) gateway.memories.add(`Rule ${more}`, null);
    await button(/^Use everywhere: “I plan/).click();
    await page
      .getByText(
        "The memory could not be moved: At most 5 global memories can be kept. Delete one first.",
      )
      .waitFor();
    await page.keyboard.press("Escape");
    await openMemories(page, gateway);
    await part("Everywhere").getByText("5 of 5").waitFor();
    await part("Everywhere").getByText("5 is the most there can be.").waitFor();
    await poll(() => button("Add memory everywhere").count()).toBe(0);
  });

  it("are deleted after a question, and the keyboard goes on beside", async () => {
    fillMemories(gateway);
    await openMemories(page, gateway);
    const question = page.getByRole("dialog", { name: "Delete this memory?" });
    await button(/^Delete “I plan/).click();
    await question.getByText("I plan heating").waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await focused(button(/^Delete “I plan/));
    await page.keyboard.press("Enter");
    await question.getByRole("button", { name: "Delete memory" }).click();
    await question.waitFor({ state: "detached" });
    await poll(() => texts(here)).toEqual([
      "Works on the three blocks at the harbour until spring.",
    ]);
    await focused(button(/^Delete “Works/));
    expect(gateway.memories.sent).toMatchObject([{ method: "DELETE" }]);
  });

  it("that were switched off meanwhile say so", async () => {
    fillMemories(gateway);
    await page.goto(web.thread());
    await page.getByRole("button", { name: "Menu of this thread" }).click();
    gateway.memories.enabled = false;
    await page.getByRole("menuitem", { name: "Memories" }).click();
    await dialog().getByText("Personalization is disabled.").waitFor();
  });

  it.each([
    ["dark", "wide"],
    ["light", "phone"],
  ] as const)(
    "have no serious fault that axe finds (%s, %s), and fit",
    async (colorScheme, size) => {
      for (const name of ["memories", "memories-edit", "memories-rtl", "personalization"]) {
        await web.open({
          colorScheme,
          viewport: size === "phone" ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        });
        take();
        gateway.memories.list = [];
        await memoriesScreens[name]!(page, gateway, size === "phone");
        await settled(page);
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
          .analyze();
        expect(
          violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => `${name} ${id}: ${nodes[0]?.html}`),
        ).toEqual([]);
        await poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(
          size === "phone" ? 390 : 1440,
        );
      }
    },
  );
});
