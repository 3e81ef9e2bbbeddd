import { expect, test } from "./product.ts";

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

test("changes the instance's name, page title and logo for everyone at once, and puts them back", async ({
  page,
  browser,
  baseURL,
  product,
}) => {
  await product.api.json("POST", "/workspace/new", { name: "Branding house" });
  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  await other.goto("/workspace/branding-house");
  await expect(other).toHaveTitle(/ · Carrel$/);
  const logo = other.locator("img[data-slot=logo]");

  await page.goto("/settings/appearance");
  const dark = page.getByRole("group", { name: "Dark theme" });
  await dark
    .locator("input[type=file]")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: onePixel });
  await expect(dark.getByText("Your logo")).toBeVisible();
  await expect(logo).toBeVisible();
  await page.getByRole("button", { name: "Remove: Dark theme" }).click();
  await expect(logo).toHaveCount(0);

  await page.getByLabel("Name", { exact: true }).fill("Riverside");
  await page.getByLabel("Page title").fill("The river");
  await page.getByRole("button", { name: "Save changes" }).click();
  const undo = page
    .getByRole("listitem")
    .filter({ hasText: "Appearance saved." })
    .getByRole("button", { name: "Undo" });
  await undo.hover(); // keeps it
  await expect(other).toHaveTitle(/ · The river$/);
  const served = async (): Promise<string> => (await fetch(product.instance.url)).text();
  // The page waits for the new title for 200 ms only.
  await expect.poll(served).toContain("<title>The river</title>");
  await undo.click();
  await expect(other).toHaveTitle(/ · Carrel$/);
  await expect.poll(served).toContain("<title>Carrel</title>");
  await context.close();
});
