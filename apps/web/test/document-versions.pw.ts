import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { slug } from "./documents-page.ts";
import { ask, expect, phone, test, threadPath } from "./fixtures.ts";

test.use({ timezoneId: "UTC" });

test.describe("documents of sources", () => {
  test("say how current they are, who sees them, and what changed since an answer", async ({
    page,
    gateway,
  }) => {
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    gateway.pace = 1;
    gateway.answer = "It costs 18.4 ct [4].";
    gateway.versions.citeEarlier(gateway.sources[3]!);
    await page.goto(threadPath);
    await ask(page, "What does a kilowatt-hour cost at night?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await page
      .locator(".md")
      .getByRole("button", { name: /^Source 4/ })
      .click();
    const panel = page.getByRole("complementary", { name: "Source" });
    await expect(panel).toContainText("as of Nov 28, 2026");
    await expect(panel).toContainText("Up to 12 people can see this, from Confluence");
    await panel.getByRole("tab", { name: "Passages" }).click();
    await expect(panel.getByRole("listitem").nth(3)).toContainText("as of Nov 13, 2026");
    await panel.getByRole("tab", { name: "Page" }).click();
    await expect(panel).toContainText("This document has changed since this answer");
    await expectAccessibleOnAllScreens(page);
    await panel.getByRole("button", { name: "Show changes" }).click();
    await expect(panel.getByRole("tab", { name: "Versions" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    const versions = panel.getByRole("listitem");
    await expect(versions).toHaveText([
      /^Nov 14, 9:30 AMCurrent1,804 words · checked Nov 28, 2026/,
      /^Nov 13, 9:30 AMQuoted in this answer/,
      /^Nov 12, 9:30 AM.*the version before isn't kept$/,
      /^Nov 11, 9:30 AM.*first version$/,
    ]);
    await expect(versions.first()).toContainText("2 lines added, 1 line removed");
    await expect(versions.first().locator("del mark")).toHaveText(["10", "18.4"]);
    await expect(versions.first().locator("ins mark")).toHaveText(["11", "19.1"]);
    await expectAccessibleOnAllScreens(page);
    await versions.nth(1).getByRole("button").click();
    await expect(versions.nth(1)).toContainText("The text is the same.");
    await expect(versions.first().locator("del")).toHaveCount(0);
    await panel.getByRole("tab", { name: "Page" }).click();
    await expect(panel).toContainText("as of Nov 28, 2026");
  });

  test.describe("on a phone", () => {
    test.use(phone);
    test("say that everyone sees them, and uploads have no versions", async ({ page, gateway }) => {
      gateway.accounts.add("jo", "default");
      await signedIn(page, gateway, "jo");
      const document = gateway.documents[slug]!.find(({ title }) => title === "Night tariff 2025")!;
      gateway.versions.known[document.documentId] = { access: { kind: "everyone" } };
      await page.goto(`/workspace/${slug}/documents`);
      await page.getByRole("button", { name: document.title, exact: true }).tap();
      const panel = page.getByRole("complementary", { name: "Source" });
      await expect(panel).toContainText("Everyone in the workspace can see this");
      await expect(panel.getByRole("tab")).toHaveText(["Page"]);
    });
  });
});
