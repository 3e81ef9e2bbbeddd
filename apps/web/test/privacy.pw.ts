import { expectAccessibleOnAllScreens } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

test("telemetry is off until it is turned on, shows all that it sends, and can be undone", async ({
  page,
  gateway,
}) => {
  gateway.settings = { LLMProvider: "nobody" };
  await page.goto("/settings/privacy");
  const send = page.getByRole("switch", { name: "Send a daily report" });
  await expect(send).toHaveAttribute("aria-checked", "false");
  await expect(page.getByText("Reports go to telemetry.example.com")).toBeVisible();
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(6);
  await expect(page.getByRole("row", { name: "Number of workspaces 3" })).toBeVisible();
  // A provider set elsewhere has no policy.
  await expect(page.getByText("No data handling policy is defined for “nobody”.")).toBeVisible();
  await expectAccessibleOnAllScreens(page);
  await send.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Telemetry is on.")).toBeVisible();
  await expect(send).toHaveAttribute("aria-checked", "true");
  await expect.poll(() => gateway.settings.DisableTelemetry).toBe("false");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(send).toHaveAttribute("aria-checked", "false");
  await expect.poll(() => gateway.settings.DisableTelemetry).toBe("true");
});
