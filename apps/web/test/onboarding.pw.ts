import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleOnAllScreens } from "./accessibility.ts";
import { expect, phone, test } from "./fixtures.ts";

const step = (name: string) => `**/onboarding/${name}`;
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const forward = (page: Page) => page.getByRole("button", { name: "Continue" });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const provider = (page: Page, name: string) => page.getByRole("radio", { name });

test.beforeEach(({ gateway }) => {
  gateway.isNew = true;
  gateway.workspaces = [];
});

test("is where a new instance starts, from any address, and only then", async ({
  page,
  gateway,
}) => {
  for (const address of ["/", "/settings/users", "/workspace/heat-pump-retrofit"]) {
    await page.goto(address);
    await page.waitForURL("**/onboarding");
  }
  await expect(heading(page, "A quiet desk for your documents")).toBeVisible();
  await expect(page).toHaveTitle("Welcome · Carrel");
  await expectAccessibleOnAllScreens(page);
  gateway.isNew = false;
  await page.goto("/");
  await expect(page.getByText("Create your first workspace")).toBeVisible();
});

test("leads one person to a first workspace, with a password", async ({ page, gateway }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Get started" }).click();
  await page.waitForURL(step("llm-preference"));
  await expect(heading(page, "Who writes the answers?")).toBeFocused();

  // Enter in the search filters, and doesn't submit.
  const search = page.getByRole("searchbox", { name: "Search providers" });
  await search.fill("ANTH");
  await search.press("Enter");
  await expect(page.getByRole("radio")).toHaveCount(1);
  await provider(page, "Anthropic").check();
  await search.fill("");
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveCount(0);
  await expectAccessible(page);
  await forward(page).click();
  await expect(page.getByText("Required")).toBeVisible();
  // Typed credentials are tried automatically.
  await page.getByLabel("API key").fill("sk-bad");
  await expect(page.getByText("The test failed.")).toBeVisible();
  await page.getByLabel("API key").fill("sk-good");
  await expect(page.getByText(/^Connected/)).toBeVisible();
  await expect.poll(() => gateway.settings).toEqual({});
  await forward(page).click();
  await page.waitForURL(step("user-setup"));
  await expect
    .poll(() => gateway.settings)
    .toMatchObject({
      LLMProvider: "anthropic",
      AnthropicApiKey: true,
      EmbeddingEngine: "native",
      EmbeddingModelPref: "Xenova/all-MiniLM-L6-v2",
      VectorDB: "lancedb",
    });

  await expect(forward(page)).toBeDisabled();
  await page.getByRole("radio", { name: "Just me" }).check();
  await expect(forward(page)).toBeDisabled();
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.getByLabel("Password", { exact: true }).fill("seven77");
  await expect(forward(page)).toBeDisabled();
  await page.getByLabel("Password", { exact: true }).fill("eight888");
  await expectAccessible(page);
  await forward(page).click();
  await page.waitForURL(step("data-handling"));
  await expect.poll(() => gateway.password).toBe("eight888");

  await expect(page.getByRole("listitem").filter({ hasText: "Anthropic" })).toContainText(
    "Leaves this server",
  );
  await expect(page.getByRole("listitem").filter({ hasText: "LanceDB" })).toContainText(
    "Stays on this server",
  );
  await expectAccessible(page);
  await forward(page).click();
  await page.waitForURL(step("survey"));

  await expect(page.getByText("Your answers go to survey.example.com")).toBeVisible();
  await expect(page.getByRole("radio", { name: "Something else" })).toBeChecked();
  await press(page, "Send");
  await expect(page.getByText("Enter your email address.")).toBeVisible();
  await page.getByLabel("Email").fill("mira@");
  await press(page, "Send");
  await expect(page.getByText("Enter a full email address")).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => gateway.survey.sent).toEqual([]);
  await page.getByLabel("Email").fill("mira@example.com");
  await page.getByRole("radio", { name: "Work" }).check();
  gateway.survey.isRefused = true;
  await press(page, "Send");
  await expect(page.getByText("Couldn't send your answers:")).toBeVisible();
  gateway.survey.isRefused = false;
  await press(page, "Send");
  await expect(page.getByText("Thank you for your feedback!")).toBeVisible();
  await expect
    .poll(() => gateway.survey.sent)
    .toEqual([{ email: "mira@example.com", useCase: "job", comment: "" }]);
  await page.reload();
  await expect(page.getByText("Thank you for your feedback!")).toBeVisible();
  await forward(page).click();
  await page.waitForURL(step("create-workspace"));

  const name = page.getByLabel("Workspace name");
  await expect(name).toBeFocused();
  const create = page.getByRole("button", { name: "Create workspace" });
  await name.fill("  ");
  await expect(create).toBeDisabled();
  await name.fill("Board minutes");
  await expectAccessible(page);
  // Shown for a second, which may pass between two looks of `expect`.
  const said = page.waitForFunction(() =>
    document
      .querySelector("[data-sonner-toast]")
      ?.textContent.includes("Workspace created successfully! Taking you to home..."),
  );
  await create.click();
  await said;
  await page.waitForURL("**/workspace/board-minutes");
  await expect(page.getByText("Taking you to home...")).toHaveCount(0);
});

test("creates a team's first admin, and shows the recovery codes", async ({ page }) => {
  await page.goto("/onboarding/user-setup");
  await page.getByRole("radio", { name: "My team" }).check();
  const nameRule = page.getByText("6 to 64 lowercase letters, numbers, underscores and hyphens.");
  await expect(nameRule).toBeVisible();
  await page.getByLabel("Admin username").fill("anna");
  await expect(nameRule).toBeVisible();
  await page.getByLabel("Admin password", { exact: true }).fill("longenough");
  await expect(page.getByText("A username must have at least 6 characters.")).toBeVisible();
  await expect(forward(page)).toBeDisabled();
  await page.getByLabel("Admin username").fill("Mira K");
  await expect(page.getByText("Usernames can only contain lowercase letters")).toBeVisible();
  await page.getByLabel("Admin username").fill("mira_k");
  await expectAccessible(page);
  await forward(page).click();
  const dialog = page.getByRole("dialog", { name: "Save your recovery codes" });
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: /Download/ }).click();
  await saved;
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await page.waitForURL(step("data-handling"));
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("anythingllm_authToken")))
    .toBe("token-mira_k");
  // Going back doesn't ask again.
  await page.goBack();
  await expect(page.getByText("This instance has user accounts.")).toBeVisible();
  await forward(page).click();
  await page.waitForURL(step("data-handling"));
});

test("has no survey step if a survey can't be sent", async ({ page, gateway }) => {
  gateway.survey.address = null;
  await page.goto("/onboarding/data-handling");
  const steps = page.getByRole("navigation", { name: "Setup steps" });
  await expect(steps.getByRole("listitem")).toHaveCount(5);
  await expect(steps.getByText("Survey")).toHaveCount(0);
  await forward(page).click();
  await page.waitForURL(step("create-workspace"));
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.waitForURL(step("data-handling"));
  await page.goto("/onboarding/survey");
  await page.waitForURL(step("create-workspace"));
  await expect.poll(() => gateway.survey.sent).toEqual([]);
});

test("keeps its place: each step has an address, and old ones lead to it", async ({ page }) => {
  await page.goto("/onboarding/data-handling");
  await page.reload();
  await expect(heading(page, "Where your data goes")).toBeVisible();
  await page.getByRole("navigation", { name: "Setup steps" }).getByText("Language model").click();
  await page.waitForURL(step("llm-preference"));
  await page.goBack();
  await expect(heading(page, "Where your data goes")).toBeVisible();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.waitForURL(step("user-setup"));
  for (const [old, now] of [
    ["home", "**/onboarding"],
    ["vector-database", step("llm-preference")],
    ["embedding-preference", step("llm-preference")],
  ] as const) {
    await page.goto(`/onboarding/${old}`);
    await page.waitForURL(now);
  }
  await page.goto("/onboarding/nowhere");
  await expect(page.getByText("Page not found.")).toBeVisible();
});

test("asks for a model only if the provider has no default, and takes the first one", async ({
  page,
  gateway,
}) => {
  await page.goto("/onboarding/llm-preference");
  await provider(page, "Ollama").check();
  await page.getByLabel("Base URL").fill("http://127.0.0.1:11434");
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("gpt-4.1");
  await forward(page).click();
  await page.waitForURL(step("user-setup"));
  await expect.poll(() => gateway.settings).toMatchObject({ OllamaLLMModelPref: "gpt-4.1" });
});

test.describe("on a phone", () => {
  test.use(phone);
  test("starts without a key straight in a workspace", async ({ page, gateway }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Get started" }).click();
    await expect(page.getByText("Step 2 of 6")).toBeVisible();
    await expectAccessible(page);
    await page.goBack();
    await press(page, "Start without a key");
    await page.waitForURL("**/workspace/my-workspace");
    await expect.poll(() => gateway.isNew).toBe(false);
    await expect.poll(() => gateway.settings).toEqual({});
    await expect(page.getByText("Add documents to My workspace")).toBeVisible();
  });
});

test.describe("the built-in embedder", () => {
  const download = (page: Page) =>
    page.getByRole("switch", { name: "Download the model for semantic search" });

  test("is downloaded unless switched off, and says so without a key too", async ({
    page,
    gateway,
  }) => {
    gateway.settings.NativeEmbedder = {
      state: "missing",
      fault: { code: "embedder.not-downloaded" },
      progress: null,
    };
    await page.goto("/onboarding/llm-preference");
    await expect(download(page)).toBeChecked();
    await expect(page.getByText("in the background after the first document")).toBeVisible();
    await download(page).click();
    await expect(download(page)).not.toBeChecked();
    await expect(page.getByText("You can turn this on later")).toBeVisible();
    await expectAccessible(page);
    await press(page, "Start without a key");
    await page.waitForURL("**/workspace/my-workspace");
    await expect.poll(() => gateway.settings).toMatchObject({ EmbeddingModelDownload: "off" });
  });

  for (const [state, words] of [
    ["ready", "The model is on this server."],
    ["off", "This server downloads no models."],
    ["downloading", "The model is being downloaded."],
  ] as const)
    test(`has no switch when its model is ${state}`, async ({ page, gateway }) => {
      gateway.settings.NativeEmbedder = { state, fault: null, progress: null };
      gateway.settings.EmbeddingModelPref = "Xenova/all-MiniLM-L6-v2";
      await page.goto("/onboarding/llm-preference");
      await expect(page.getByText(words)).toBeVisible();
      await expect(download(page)).toBeHidden();
    });
});

test.describe("in a browser that isn't English", () => {
  test.use({ locale: "de-DE" });

  test("offers the multilingual embedding model first, without a key too", async ({
    page,
    gateway,
  }) => {
    await page.goto("/onboarding/llm-preference");
    const language = page.getByLabel("Sprache Ihrer Dokumente");
    await expect(language).toHaveValue("other");
    await expect(page.getByText("mehr als 100 Sprachen")).toBeVisible();
    await language.selectOption("Englisch");
    await expect(page.getByText("ein kleines Modell für Englisch")).toBeVisible();
    await language.selectOption("Eine andere oder mehrere Sprachen");
    await expectAccessible(page);
    await press(page, "Ohne Schlüssel starten");
    await page.waitForURL("**/workspace/mein-workspace");
    await expect
      .poll(() => gateway.settings)
      .toEqual({ EmbeddingModelPref: "MintplexLabs/multilingual-e5-small" });
  });
});
