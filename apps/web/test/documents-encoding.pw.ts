import { grid, inWorkspace, open, slug } from "./documents-page.ts";
import { expect, test } from "./fixtures.ts";

const title = "Night tariff 2025";
const guessed = { code: "file-note.encoding-guessed", params: { encoding: "Windows-1252" } };

for (const colorScheme of ["light", "dark"] as const)
  test(`a guessed encoding is said on the document and can be changed, ${colorScheme}`, async ({
    page,
    gateway,
  }) => {
    await page.emulateMedia({ colorScheme });
    const document = gateway.documents[slug]!.find((each) => each.title.startsWith(title))!;
    Object.assign(document, { notes: [guessed], hasOriginal: true });
    await open(page);
    const row = inWorkspace(page, title);
    await expect(row.getByText("Read as Windows-1252.")).toBeVisible();
    await row.getByRole("button", { name: /^Change the encoding of Night tariff 2025/ }).click();
    const menu = page.getByRole("menu");
    await expect(
      menu.getByRole("menuitemcheckbox", { name: "Windows-1252 (Western European)" }),
    ).toBeChecked();
    await menu.getByRole("menuitemcheckbox", { name: "Windows-1251 (Cyrillic)" }).click();
    await expect(row.getByText("Read as Windows-1251.")).toBeVisible();
    // Only documents with a guessed encoding say so.
    await expect(grid(page).getByText(/^Read as/)).toHaveCount(1);
  });

test("without the original the encoding can't be changed", async ({ page, gateway }) => {
  const document = gateway.documents[slug]!.find((each) => each.title.startsWith(title))!;
  Object.assign(document, { notes: [guessed], hasOriginal: false });
  await open(page);
  await expect(inWorkspace(page, title).getByText("Read as Windows-1252.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Change the encoding/ })).toHaveCount(0);
});

test("a failed document keeps its notes, so that another encoding can be tried", async ({
  page,
  gateway,
}) => {
  const document = gateway.documents[slug]!.find((each) => each.title.startsWith(title))!;
  Object.assign(document, {
    state: "failed",
    reason: { code: "file.no-text", params: { filename: document.title } },
    notes: [guessed, { code: "file-note.pictures-unread", params: { count: 2 } }],
    hasOriginal: true,
  });
  await open(page);
  const row = inWorkspace(page, title);
  await expect(row.getByText("Read as Windows-1252.")).toBeVisible();
  await expect(row.getByText("Images whose text wasn't read: 2.")).toBeVisible();
  await row.getByRole("button", { name: /^Change the encoding of Night tariff 2025/ }).click();
  await page.getByRole("menu").getByRole("menuitemcheckbox", { name: "KOI8-R (Russian)" }).click();
  await expect(row.getByText("Read as KOI8-R.")).toBeVisible();
});
