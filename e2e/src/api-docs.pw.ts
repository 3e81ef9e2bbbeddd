import { isThorough } from "@carrel/testing";
import { expect, test } from "./product.ts";

test("the API docs try calls with a key, without asking any other server", async ({
  page,
  product,
}) => {
  // The page takes half a minute to resolve all routes; this test needs two of them.
  const used = ["/v1/auth", "/v1/workspace/new"];
  if (isThorough) test.slow();
  else
    await page.route("**/api/docs/openapi.json", async (route) => {
      const response = await route.fetch();
      const { paths, ...rest } = (await response.json()) as { paths: Record<string, unknown> };
      const kept = Object.entries(paths).filter(([path]) => used.some((end) => path.endsWith(end)));
      await route.fulfill({ response, json: { ...rest, paths: Object.fromEntries(kept) } });
    });
  const { apiKey } = await product.api.json<{ apiKey: { secret: string } }>(
    "POST",
    "/system/generate-api-key",
    {},
  );
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/api/docs");

  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".dialog-ux");
  const form = dialog.locator(".auth-container").filter({ hasText: "developerKey" });
  await form.getByRole("textbox").fill(apiKey.secret);
  await form.getByText("Authorize", { exact: true }).click();
  await form.getByText("Close", { exact: true }).click();

  /** Opens a route's form, sends it and returns what the page shows as the reply. */
  const call = async (tag: string, path: string, edit?: (text: string) => string) => {
    await page.locator(`[data-tag="${tag}"]`).click();
    const route = page.locator(".opblock").filter({ has: page.locator(`[data-path="${path}"]`) });
    await route.locator(".opblock-summary").click();
    await route.getByRole("button", { name: "Try it out" }).click();
    if (edit) {
      const body = route.getByRole("textbox").last();
      await body.fill(edit(await body.inputValue()));
    }
    await route.getByRole("button", { name: "Execute" }).click();
    return route.locator(".live-responses-table tbody .response");
  };
  const checked = await call("API key", "/api/v1/auth");
  await expect(checked).toContainText("200");
  await expect(checked).toContainText('"authenticated": true');
  const created = await call("Workspaces", "/api/v1/workspace/new", (example) =>
    example.replace('"Contracts"', '"From the docs"'),
  );
  await expect(created).toContainText('"slug": "from-the-docs"');

  expect(asked.filter((url) => !url.startsWith(product.instance.url))).toEqual([]);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
});
