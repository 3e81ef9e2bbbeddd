import type { ProviderDeclaration, SettingLabel } from "@carrel/contracts";
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

const secret = (key: string, label: SettingLabel, ...values: string[]) => ({
  key,
  label,
  kind: "secret" as const,
  required: true,
  when: { key: "AwsBedrockLLMConnectionMethod", values },
});

/** As the registry declares it, with fewer regions. */
const bedrock: ProviderDeclaration = {
  id: "bedrock",
  name: "Amazon Bedrock",
  kind: "language",
  group: "hosted",
  keyUrl: "https://console.aws.amazon.com/bedrock/home#/api-keys",
  dataPolicyUrl: "https://docs.aws.amazon.com/bedrock/latest/userguide/data-protection.html",
  listsModels: true,
  fields: [
    {
      key: "AwsBedrockLLMConnectionMethod",
      label: "connectionMethod",
      kind: "select",
      required: false,
      default: "iam",
      options: ["iam", "sessionToken", "apiKey"],
    },
    secret("AwsBedrockLLMApiKey", "key", "apiKey"),
    secret("AwsBedrockLLMAccessKeyId", "accessKeyId", "iam", "sessionToken"),
    secret("AwsBedrockLLMAccessKey", "accessKey", "iam", "sessionToken"),
    secret("AwsBedrockLLMSessionToken", "sessionToken", "sessionToken"),
    {
      key: "AwsBedrockLLMRegion",
      label: "region",
      kind: "select",
      required: true,
      default: "us-west-2",
      options: ["us-west-2", "eu-north-1"],
    },
    { key: "AwsBedrockLLMModel", label: "model", kind: "model", required: true },
  ],
};
const others = Array.from({ length: 34 }, (_, index): ProviderDeclaration => ({
  ...bedrock,
  id: `vendor-${index}`,
  name: `Vendor ${index}`,
  fields: [{ key: `Vendor${index}Key`, label: "key", kind: "secret", required: true }],
}));

test.beforeEach(({ gateway }) => {
  gateway.furtherProviders = [bedrock, ...others];
});

test("finds one of many providers, and asks for what its sign-in method needs", async ({
  page,
}) => {
  await page.goto("/settings/llm-preference");
  const search = page.getByRole("searchbox", { name: "Search providers" });
  await expect(page.getByRole("button", { name: "Vendor 33", exact: true })).toBeAttached();
  await search.fill("BEDROCK");
  await expect(page.getByRole("button", { name: /^Vendor/ })).toHaveCount(0);
  await search.press("Enter");
  await expect(page.getByRole("link", { name: "How Amazon Bedrock handles data" })).toBeVisible();
  const method = page.getByLabel("Sign-in method");
  await expect(page.getByLabel("Secret access key")).toBeVisible();
  const model = page.getByRole("combobox", { name: "Model" });
  await expect(model).toHaveAttribute("placeholder", "Waiting for the key");
  await expect(page.getByRole("link", { name: "Get an API key" })).toHaveCount(0);
  await expect(page.getByLabel("API key")).toHaveCount(0);
  await expect(page.getByLabel("Session token")).toHaveCount(0);
  await method.selectOption("sessionToken");
  await expect(page.getByLabel("Session token")).toBeVisible();
  await method.selectOption("apiKey");
  await expect(page.getByLabel("API key")).toBeVisible();
  await expect(page.getByRole("link", { name: "Get an API key" })).toBeVisible();
  await expect(page.getByLabel("Secret access key")).toHaveCount(0);
  await expectAccessible(page);
});

test("shows a provider's logo in both themes, or else its initials", async ({ page }) => {
  await page.goto("/settings/llm-preference");
  const tile = (name: string) =>
    page.getByRole("button", { name, exact: true }).locator("[aria-hidden]").first();
  const picture = tile("Amazon Bedrock").getByAltText("", { exact: true });
  await expect(picture).toHaveJSProperty("complete", true);
  await expect(picture).not.toHaveJSProperty("naturalWidth", 0);
  const plain = tile("Anthropic").locator("> *");
  await expect(plain).toHaveCSS("mask-image", /^url\("data:image\/svg/);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(plain).toHaveCSS("background-color", "rgb(240, 239, 236)");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(plain).toHaveCSS("background-color", "rgb(31, 30, 28)");
  await expect(tile("Vendor 3")).toHaveText("V3");
});

test("tests a connection with all that was entered", async ({ page }) => {
  let sent: unknown;
  await page.route("**/api/system/test-provider", async (route) => {
    sent = route.request().postDataJSON();
    const result = { milliseconds: 1234, model: "amazon.nova-lite-v1:0", dimensions: null };
    await route.fulfill({ json: { result, error: null } });
  });
  await page.goto("/settings/llm-preference");
  await page.getByRole("button", { name: "Amazon Bedrock", exact: true }).click();
  await page.getByLabel("Access key ID").fill("AKIDFAKE");
  await page.getByLabel("Secret access key").fill("typed");
  await page.getByLabel("Region").selectOption("eu-north-1");
  await page.getByRole("combobox", { name: "Model" }).fill("amazon.nova-lite-v1:0");
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("Connected. amazon.nova-lite-v1:0 answered in 1.2s.")).toBeVisible();
  expect(sent).toEqual({
    kind: "language",
    provider: "bedrock",
    settings: {
      AwsBedrockLLMConnectionMethod: "iam",
      AwsBedrockLLMAccessKeyId: "AKIDFAKE",
      AwsBedrockLLMAccessKey: "typed",
      AwsBedrockLLMRegion: "eu-north-1",
      AwsBedrockLLMModel: "amazon.nova-lite-v1:0",
    },
  });
});

test("forgets a test once the form has changed", async ({ page }) => {
  await page.goto("/settings/llm-preference");
  await page.getByRole("button", { name: "OpenAI", exact: true }).click();
  await page.getByLabel("API key").fill("sk-bad");
  await page.getByRole("button", { name: "Test connection" }).click();
  const fault = page.getByText("OpenAI rejected the key (401). Check it.");
  await expect(fault).toBeVisible();
  await page.getByLabel("API key").fill("sk-good");
  await expect(fault).toHaveCount(0);
  await page.getByRole("button", { name: "Test connection" }).click();
  const works = page.getByText("Connected. gpt-4.1-nano answered in");
  await expect(works).toBeVisible();
  await page.getByRole("combobox", { name: "Model" }).fill("gpt-4.1");
  await expect(works).toHaveCount(0);
});

test("says once what is wrong with an address, where it covers nothing", async ({ page }) => {
  const wrong = {
    code: "provider.not-a-model-server",
    params: { origin: "https://bedrock.test" },
  };
  const fault = { "carrel-error": JSON.stringify(wrong) };
  await page.route("**/api/system/custom-models", (route) =>
    route.fulfill({ json: { models: [], error: "There's no server." }, headers: fault }),
  );
  let works = true;
  await page.route("**/api/system/test-provider", (route) =>
    works
      ? route.fulfill({
          json: { result: { milliseconds: 900, model: "nova", dimensions: null }, error: null },
        })
      : route.fulfill({ json: { result: null, error: "There's no server." }, headers: fault }),
  );
  await page.goto("/settings/llm-preference");
  await page.getByRole("button", { name: "Amazon Bedrock", exact: true }).click();
  const model = page.getByRole("combobox", { name: "Model" });
  await model.fill("nova");
  const text = "https://bedrock.test answered, but not as a model server.";
  const listFault = page.getByText(`Couldn't list the models: ${text}`);
  await expect(listFault).toBeVisible();
  await page.getByRole("button", { name: "Test connection" }).click();
  const success = page.getByText("Connected. nova answered in 0.9s.");
  await expect(success).toBeVisible();
  await model.click();
  await expect(listFault).toBeVisible();
  const [above, below] = [await listFault.boundingBox(), await success.boundingBox()];
  expect(above!.y + above!.height).toBeLessThan(below!.y);
  await expectAccessible(page);

  works = false;
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(text)).toHaveCount(1);
});

test("offers to save settings whose test failed, unless they can never work", async ({ page }) => {
  let code = "provider.connection-refused";
  await page.route("**/api/system/test-provider", (route) =>
    route.fulfill({
      json: { result: null, error: "It failed." },
      headers: {
        "carrel-error": JSON.stringify({
          code,
          params: { vendor: "Bedrock", origin: "http://169.254.169.254" },
        }),
      },
    }),
  );
  await page.goto("/settings/llm-preference");
  await page.getByRole("button", { name: "Amazon Bedrock", exact: true }).click();
  await page.getByRole("combobox", { name: "Model" }).fill("nova");
  await page.getByRole("button", { name: "Test connection" }).click();
  const save = page.getByRole("button", { name: "Save anyway" });
  await expect(save).toBeVisible();
  code = "egress.metadata-address";
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("belongs to the cloud's metadata service")).toBeVisible();
  await expect(save).toHaveCount(0);
});
