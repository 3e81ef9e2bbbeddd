import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Page } from "playwright-core";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { focused, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
let gateway: FakeGateway;
let page: Page;
const take = (): void => {
  ({ gateway, page } = web);
};
beforeEach(take);
const open = async (): Promise<void> => {
  await page.goto(`${gateway.url}/settings/appearance`);
  await page.getByRole("heading", { name: "Welcome messages" }).waitFor();
};
const text = (number: number) => page.getByLabel(`Text of message ${number}`);
const button = (name: string) => page.getByRole("button", { name });

describe("welcome messages", () => {
  beforeEach(() => {
    gateway.chat.welcome = [{ user: "Who are you?", response: "I know the **retrofit**." }];
  });

  it("are for managers and admins", async () => {
    gateway.admin.fill();
    await signedIn(page, gateway, "olu");
    await open();
    await page.getByRole("link", { name: "Appearance" }).waitFor();
    await web.open();
    take();
    await signedIn(page, gateway, "jo-brandt");
    await page.goto(`${gateway.url}/settings/appearance`);
    await page.waitForURL(`${gateway.url}/workspace/heat-pump-retrofit`);
  });

  it("are added, changed, moved and removed with the keyboard, and previewed as a chat shows them", async () => {
    await open();
    await poll(() => text(1).inputValue()).toBe("Who are you?");
    await page.locator(".welcome-preview strong").getByText("retrofit").waitFor();
    await button("Add assistant message").focus();
    await page.keyboard.press("Enter");
    await focused(text(3));
    await page.getByText("Write something, or remove this message.").waitFor();
    await page.keyboard.type("Ask about _rules_.");
    await page.locator(".welcome-preview em").getByText("rules").waitFor();
    await button("Move message 3 up").focus();
    await page.keyboard.press("Enter");
    await poll(() => text(2).inputValue()).toBe("Ask about _rules_.");
    await page.keyboard.press("Enter"); // the focus went along
    await poll(() => text(1).inputValue()).toBe("Ask about _rules_.");
    await focused(button("Move message 1 down")); // up is as far as it goes
    await button("Remove message 2").focus();
    await page.keyboard.press("Enter");
    await focused(button("Remove message 2"));
    await page.keyboard.press("Enter");
    await focused(button("Remove message 1"));
    await text(1).fill(" Ask about **rules**. ");
    await button("Save changes").click();
    await page.getByText("Welcome messages saved successfully.").waitFor();
    expect(gateway.chat.welcome).toEqual([{ user: "", response: "Ask about **rules**." }]);
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
    await page
      .getByRole("group", { name: "Welcome" })
      .locator("strong")
      .getByText("rules")
      .waitFor();
  });

  it("that say nothing are not saved, and what the instance refuses is told with nothing lost", async () => {
    await open();
    await poll(() => text(2).inputValue()).toBe("I know the **retrofit**.");
    await text(2).fill("  ");
    await page.getByText("Write something, or remove this message.").waitFor();
    await button("Save changes").click();
    await focused(text(2));
    expect(
      gateway.chat.calls.filter(({ path }) => path === "/system/set-welcome-messages"),
    ).toEqual([]);
    await text(2).fill("I know nothing.");
    gateway.chat.refuseWelcome = "Invalid message format. Expected an array of messages.";
    await button("Save changes").click();
    await page
      .getByText(
        "Error setting welcome messages. Invalid message format. Expected an array of messages.",
      )
      .waitFor();
    await poll(() => text(2).inputValue()).toBe("I know nothing.");
    await page.getByRole("link", { name: "Security" }).click();
    await page.getByRole("dialog").getByText("Leave without saving?").waitFor();
    await page.keyboard.press("Escape");
    await button("Discard").click();
    await poll(() => text(2).inputValue()).toBe("I know the **retrofit**.");
    await page.getByRole("link", { name: "Security" }).click();
    await page.waitForURL("**/settings/security");
  });

  it("that an existing client wrote in pairs need no saving, and the theme saves itself", async () => {
    await open();
    await poll(() => text(1).inputValue()).toBe("Who are you?");
    await page.getByRole("radio", { name: "Light" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    await poll(() => button("Save changes").isDisabled()).toBe(true);
  });

  it.each([
    ["dark", "wide"],
    ["light", "phone"],
  ] as const)(
    "have no serious fault that axe finds (%s, %s), and fit",
    async (colorScheme, size) => {
      await web.open({
        colorScheme,
        viewport: size === "phone" ? { width: 390, height: 844 } : { width: 1440, height: 900 },
      });
      take();
      await open();
      await button("Add user message").click();
      await settled(page);
      const { violations } = await new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
        .analyze();
      expect(
        violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      ).toEqual([]);
      await poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(
        size === "phone" ? 390 : 1440,
      );
    },
  );
});
