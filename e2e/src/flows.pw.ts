import { expect, slug, test } from "./product.ts";

// One flow, from the builder to an agent's answer: each test goes on where the one before ended.
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ product }) => {
  await product.useVendor();
  await product.api.makeWorkspace("Harbour House");
});

test("a flow is built, saved and tested", async ({ page, product }) => {
  const add = async (block: RegExp): Promise<void> => {
    await page.getByRole("button", { name: "Add block", exact: true }).click();
    await page.getByRole("menuitem", { name: block }).click();
  };
  const saveAs = page.getByLabel("Save the result as");
  await page.goto("/settings/agents/builder");
  await page.getByLabel("Name", { exact: true }).fill("Harbour report");
  await page.getByLabel("Variables, row 1: Name").fill("city");
  await add(/^LLM instruction/);
  await page.getByRole("combobox", { name: "Instruction", exact: true }).fill("Describe ${city}.");
  await saveAs.fill("text");
  await add(/^Code/);
  await page.getByRole("textbox", { name: "JavaScript" }).fill("return variables.text.length");
  await saveAs.last().fill("length");
  await page.getByRole("button", { name: "Save flow", exact: true }).click();
  await expect(page.locator("header").getByRole("status")).toHaveText("Saved");

  product.vendor.next({ reply: "Lisbon lies on the Tagus." });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("textbox", { name: "city" }).fill("Lisbon");
  await page.getByRole("button", { name: "Run test", exact: true }).click();
  await expect(page.getByText("The flow finished.")).toBeVisible();
  await expect(page.getByText(/^text:\s+Lisbon lies on the Tagus\.\s+length:\s+25$/)).toBeVisible();
});

test("an agent runs it, and answers with what it found", async ({ page, chat, product }) => {
  await chat.openThread(slug);
  product.vendor.next(
    { toolCalls: [{ name: "harbour_report", input: { city: "Porto" } }] },
    { reply: "Porto lies on the Douro." },
    { reply: "It is on the Douro." },
  );
  await chat.ask("@agent Where is Porto?");
  const answer = await chat.answered();
  await expect(answer.locator(".md").getByText("It is on the Douro.")).toBeVisible();
  await expect(answer.getByText("Harbour report").first()).toBeVisible();
  expect(JSON.stringify(product.vendor.requests.at(-1)!.body)).toContain(
    "Porto lies on the Douro.",
  );
  await page.reload();
  await expect((await chat.answered()).getByText("Harbour report").first()).toBeVisible();
});
