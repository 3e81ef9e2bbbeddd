import { accessibilityViolations } from "@carrel/testing";
import { boiler, handbook, rents } from "./harbour-house.ts";
import { expect, home, test } from "./product.ts";

// One person's first visit: each test continues in the instance as the previous ones left it.
test.describe.configure({ mode: "serial" });
test.use({ environment: { CARREL_TRASH_DAYS: "0" } });

test("opens its wizard, without signing in, and creates a workspace", async ({ page }) => {
  const forward = page.getByRole("button", { name: "Continue" });
  await page.goto("/");
  await page.getByRole("link", { name: "Get started" }).click();
  await page.getByRole("searchbox", { name: "Search providers" }).fill("quotes");
  await page.getByRole("radio", { name: "Quotes from your documents" }).check();
  expect(await accessibilityViolations(page)).toEqual([]);
  await forward.click();
  await page.getByRole("radio", { name: "Just me" }).check();
  await page.getByRole("radio", { name: "No" }).check();
  await forward.click();
  await expect(page.getByText("Vectors and passages are stored on this server.")).toBeVisible();
  await forward.click();
  // No survey: it can't be sent from this instance.
  await page.getByLabel("Workspace name").fill("Harbour house");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.waitForURL("**/workspace/harbour-house");
  await expect(page.getByText("Add documents to Harbour house")).toBeVisible();
});

test("accepts a dropped file and chosen ones, and says when each is ready", async ({ page }) => {
  await page.goto(home);
  await expect(page.getByText("Add documents to Harbour house")).toBeVisible();
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "handbook.md", { type: "text/markdown" }));
    return transfer;
  }, handbook);
  await page.dispatchEvent("main", "dragenter", { dataTransfer: dropped });
  await expect(page.getByText("Drop to add to Harbour house")).toBeVisible();
  const gate = Promise.withResolvers<void>();
  await page.route("**/upload-and-embed", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.dispatchEvent("main", "drop", { dataTransfer: dropped });
  await expect(page.getByLabel("Uploads").getByText("handbook.md")).toBeVisible();
  gate.resolve();
  await expect(page.getByRole("link", { name: /^1 document/ })).toBeVisible();
  await page.unroute("**/upload-and-embed");
  await page.getByRole("link", { name: /^1 document/ }).click();
  await expect(page.getByRole("heading", { name: "In this workspace" })).toBeVisible();
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([
      { name: "boiler.pdf", mimeType: "application/pdf", buffer: boiler },
      { name: "rents.csv", mimeType: "text/csv", buffer: Buffer.from(rents) },
    ]);
  for (const name of ["handbook.md", "boiler.pdf", "rents.csv"])
    await expect(
      page.getByRole("row").filter({ hasText: name }).getByText("Searchable by words"),
    ).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "boiler.pdf" })).toContainText("2 pages");
  expect(await accessibilityViolations(page)).toEqual([]);
});

test("explains once why a file cannot be read", async ({ page, expectedStatuses }) => {
  await page.goto(`${home}/documents`);
  expectedStatuses.push(422);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "broken.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.4\nnot a document at all"),
    });
  const row = page.getByRole("row").filter({ hasText: "broken.pdf" });
  // Strict mode: a second row for the same file would fail here.
  await expect(row.getByText("The PDF is damaged or incomplete.")).toBeVisible();
  // Counted separately here, and in the same words above the chat.
  await expect(page.getByText(/^3 documents, 1 failed · /)).toBeVisible();
  await page.goto(home);
  await page.getByRole("link", { name: "3 documents, 1 failed" }).click();
  await page.getByRole("button", { name: "Menu for broken.pdf" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page
    .getByRole("dialog")
    .or(page.getByRole("alertdialog"))
    .getByRole("button", { name: "Remove" })
    .click();
  await expect(row).toHaveCount(0);
  await expect(page.getByText(/^3 documents · /)).toBeVisible();
});

test("sets a password, signs out and in, and removes it", async ({
  page,
  chat,
  expectedStatuses,
}) => {
  await page.goto(home);
  await chat.ask("When is glass collected?");
  await chat.answered();
  await page.goto("/settings/security");
  await page.getByLabel("Password", { exact: true }).fill("harbour-lights");
  // The page may ask for changes when the password is already due, but not yet entered.
  expectedStatuses.push(401);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("This instance is password protected.")).toBeVisible();
  await page.goto(home);
  await page.getByRole("button", { name: "User menu" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/login**");
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel("Password", { exact: true }).fill("harbour-dark");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The password is incorrect.")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("harbour-lights");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/workspace/harbour-house");
  await expect(page.locator("[data-question]").first()).toBeVisible();
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Remove password" }).click();
  await page
    .getByRole("dialog")
    .or(page.getByRole("alertdialog"))
    .getByRole("button", { name: "Remove password" })
    .click();
  await expect(page.getByText("Anyone who can reach this address can use it.")).toBeVisible();
  await page.goto(home);
  await expect(page.locator("[data-question]").first()).toBeVisible();
  await page.getByRole("button", { name: "User menu" }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toHaveCount(0);
});
