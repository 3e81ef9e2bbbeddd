import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { providers } from "./fake-providers.ts";
import { expect, phone, test } from "./fixtures.ts";

const candidates = [
  "http://127.0.0.1:11434",
  "http://localhost:11434",
  "http://host.docker.internal:11434",
  "http://172.17.0.1:11434",
];

/** Ollama's form as the registry declares it, and a server at one of the candidates, or nowhere. */
async function openOllama(
  page: Page,
  gateway: FakeGateway,
  running: string | null,
): Promise<string[]> {
  const asked: string[] = [];
  const ollama = providers({}).providers.find(({ id }) => id === "ollama")!;
  ollama.fields[0]!.candidates = candidates;
  gateway.furtherProviders = [ollama];
  await page.route("**/api/system/custom-models", async (route) => {
    const { basePath } = route.request().postDataJSON() as { basePath: string };
    asked.push(basePath);
    const models = basePath === running ? [{ id: "llama3.2" }] : [];
    await route.fulfill({ json: { models, error: null } });
  });
  await page.goto("/settings/llm-preference");
  // On phones this opens the list of providers.
  await page.getByRole("button", { name: "Quotes from your documents" }).click();
  await page.getByRole("button", { name: "Ollama", exact: true }).click();
  return asked;
}

test("finds a server, which is tested, chosen and saved", async ({ page, gateway }) => {
  const asked = await openOllama(page, gateway, candidates[2]!);
  await expect(page.getByText("Provider endpoint discovered automatically.")).toBeVisible();
  await expect.poll(() => asked.toSorted()).toEqual(candidates.toSorted());
  const address = page.getByLabel("Base URL");
  await expect(address).toHaveCount(0);
  await page.getByRole("button", { name: "Show advanced settings" }).click();
  await expect(address).toHaveValue(candidates[2]!);
  await expect(page.getByRole("button", { name: "Auto-detect" })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Model" }).click();
  await page.getByRole("option", { name: "llama3.2" }).click();
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("Connected. llama3.2 answered in 0.4s.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use Ollama" }).click();
  await expect(page.getByText("Language model saved.")).toBeVisible();
  await expect
    .poll(() => gateway.settings)
    .toMatchObject({
      LLMProvider: "ollama",
      OllamaLLMBasePath: candidates[2],
      OllamaLLMModelPref: "llama3.2",
    });
});

test("asks for the address if no server answers, once per visit unless told to", async ({
  page,
  gateway,
}) => {
  const asked = await openOllama(page, gateway, null);
  const toast = page.getByText(
    "Couldn't automatically discover the provider endpoint. Please enter it manually.",
  );
  await expect(toast).toBeVisible();
  await expect(page.getByLabel("Base URL")).toHaveValue("");
  await expectAccessible(page);
  await page.getByRole("button", { name: "OpenAI", exact: true }).click();
  await page.getByRole("button", { name: "Ollama", exact: true }).click();
  const detect = page.getByRole("button", { name: "Auto-detect" });
  await expect(detect).toBeEnabled();
  expect(asked).toHaveLength(candidates.length);
  await detect.click();
  await expect.poll(() => asked).toHaveLength(2 * candidates.length);
  await page.getByLabel("Base URL").fill("http://127.0.0.1:9");
  await expect(detect).toHaveCount(0);
  await page.getByRole("combobox", { name: "Model" }).fill("llama3.2");
  await page.route("**/api/system/test-provider", (route) =>
    route.fulfill({
      headers: {
        "carrel-error": JSON.stringify({
          code: "provider.connection-refused",
          params: { vendor: "Ollama", origin: "http://127.0.0.1:9" },
        }),
      },
      json: { result: null, error: "Couldn't reach Ollama." },
    }),
  );
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(
    page.getByText("Couldn't reach Ollama at http://127.0.0.1:9: connection refused."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Save anyway" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use(phone);
  test("shows what it found", async ({ page, gateway }) => {
    await openOllama(page, gateway, candidates[0]!);
    await expect(page.getByText("Provider endpoint discovered automatically.")).toBeVisible();
    await page.getByRole("button", { name: "Show advanced settings" }).click();
    await expect(page.getByLabel("Base URL")).toHaveValue(candidates[0]!);
  });
});
