import { Api } from "./api.ts";
import { endless, expect, slug, test } from "./product.ts";

// One flow, from the builder to an agent's answer, a schedule and another program: each test
// continues where the one before ended.
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
  // What the last block has stored.
  const result = page.getByRole("region", { name: "Result of the flow" });
  await expect(result.getByText("25", { exact: true })).toBeVisible();
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

test("it is run by hand, and on a schedule that puts its result into a thread", async ({
  page,
  product,
}) => {
  product.vendor.next({ reply: "Oslo lies on a fjord." });
  await page.goto("/flows");
  await page.getByRole("button", { name: "Run Harbour report" }).click();
  await page.getByRole("dialog").getByLabel("city").fill("Oslo");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("21", { exact: true }).first()).toBeVisible();

  await page.goto(`/schedules/new?workspace=${slug}`);
  await page.getByRole("radio", { name: "Flow" }).check();
  await page.getByLabel("Name", { exact: true }).fill("Harbour of the day");
  await page.getByLabel("Flow", { exact: true }).selectOption("Harbour report");
  await page.getByLabel("city").fill("Bergen");
  await page.getByRole("button", { name: "Create schedule" }).click();
  product.vendor.next({ reply: "Bergen lies among seven hills." });
  await page.getByRole("button", { name: "Run now" }).click();
  const run = page.getByRole("list", { name: "Runs" }).getByRole("listitem").first();
  await expect(run).toContainText("Done");
  await run.getByRole("button").click();
  await expect(run.getByRole("region", { name: "Result" })).toContainText("30");
  await run.getByRole("link", { name: "Open thread" }).click();
  await expect(page.locator("[data-question]")).toHaveText(/Harbour report\s+city: Bergen/);
  await expect(page.getByRole("article")).toContainText("30");
  await page.getByRole("link", { name: "Asked by the schedule Harbour of the day" }).click();
  await run.getByRole("button").click();
  await run.getByRole("link", { name: "Open the flow's run" }).click();
  await expect(page.getByText("Scheduled", { exact: true })).toBeVisible();
});

test("a program runs it with a key, and a run that takes long is cancelled", async ({
  page,
  product,
}) => {
  const { api, instance, vendor } = product;
  const { flows } = await api.json<{ flows: { id: string; name: string }[] }>(
    "GET",
    "/shared-flows",
  );
  const { id } = flows.find(({ name }) => name === "Harbour report")!;
  await api.json("PUT", `/flows/${id}/triggers/api`, {});
  const program = new Api(instance.url);
  program.token = (
    await api.json<{ apiKey: { secret: string } }>("POST", "/system/generate-api-key", {})
  ).apiKey.secret;
  const run = (body: object) => program.call("POST", `/v1/flows/${id}/run`, body);
  vendor.next({ reply: "Turku lies on the Aura." });
  const streamed = await run({ inputs: { city: "Turku" }, stream: true });
  expect(streamed.text).toContain("Turku lies on the Aura.");

  await page.goto("/flows");
  vendor.next(endless);
  const ended = run({});
  await page.getByRole("listitem").filter({ hasText: "Running" }).getByRole("link").click();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.getByRole("main").getByRole("status").first()).toHaveText("Canceled");
  expect((await ended).json()).toMatchObject({ state: "cancelled", output: null });
});
