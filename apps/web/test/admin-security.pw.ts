import { admin, dialog, go, menu, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

test.describe("security", () => {
  test("switches to multi-user mode, signs in as the admin, and shows the recovery codes until they are saved", async ({
    page,
  }) => {
    await page.goto("/settings/security");
    await page.getByRole("button", { name: "Set up user accounts" }).click();
    await expect(
      page.getByText("You can't switch back to an instance without accounts."),
    ).toBeVisible();
    await page.getByLabel("Admin username").fill("admin");
    await page.getByLabel("Admin password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Switch to user accounts" }).click();
    await expect(page.getByText("A username must have at least 6 characters.")).toBeVisible();
    await expect(page.getByText("The password must have at least 8 characters.")).toBeVisible();
    await page.getByLabel("Admin username").fill("mira_kowalska");
    await page.getByLabel("Admin password", { exact: true }).fill("longenough");
    await page.getByRole("button", { name: "Switch to user accounts" }).click();
    await expect(dialog(page).getByText("mira_kowalska becomes the admin")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Switch to user accounts" }).click();
    await expect(page.getByText("Save your recovery codes")).toBeVisible();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /Download/ }).click();
    expect((await saved).suggestedFilename()).toBe("recovery_codes.txt");
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await expect(
      page.getByText("User accounts are on, and you are signed in as mira_kowalska."),
    ).toBeVisible();
    await expect
      .poll(() =>
        page.evaluate(() => [
          localStorage.getItem("anythingllm_authToken"),
          JSON.parse(localStorage.getItem("anythingllm_user") ?? "{}").username,
        ]),
      )
      .toEqual(["token-mira_kowalska", "mira_kowalska"]);
    await page.getByRole("complementary").getByRole("link", { name: "Users" }).click();
    await expect(row(page, "mira_kowalska").getByText("Admin")).toBeVisible();
  });
  test("shows that multi-user mode is on, and links to the users", async ({ page, gateway }) => {
    await go(page, gateway, "olu", "/settings/security");
    await expect(page.getByText("This instance has user accounts.")).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Invites" }).click();
    await page.waitForURL("**/settings/invites");
  });
  test("accepts printable passwords, and says why one is rejected", async ({ page, gateway }) => {
    await page.goto("/settings/security");
    await page.getByLabel("Password", { exact: true }).fill("        ");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("The password can't be blank.")).toBeVisible();
    await page.route(
      "**/api/system/update-password",
      (route) =>
        route.fulfill({
          headers: { "carrel-error": '{"code":"password.too-long","params":{"limit":9}}' },
          json: { success: false, error: "Password cannot be longer than 9 characters." },
        }),
      { times: 1 },
    );
    await page.getByLabel("Password", { exact: true }).fill("grünes Licht #");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(
      page.getByText("Couldn't set the password: The password can have at most 9 characters."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByText("This instance is password protected.")).toBeVisible();
    await expect.poll(() => gateway.password).toBe("grünes Licht #");
    await page.getByLabel("Current password").fill("grünes Licht #");
    await page.getByRole("button", { name: "Remove password" }).click();
    await dialog(page).getByRole("button", { name: "Remove password" }).click();
    await expect(page.getByText("Anyone who can reach this address can use it.")).toBeVisible();
  });
  test("asks for the current password before it is replaced, or the instance gets accounts", async ({
    page,
    gateway,
  }) => {
    gateway.password = "longenough";
    await page.goto("/settings/security");
    await page.getByLabel("Password", { exact: true }).fill("longenough");
    await page.keyboard.press("Enter");
    await page.getByLabel("New password").fill("a better one");
    await page.getByRole("button", { name: "Change password" }).click();
    const current = page.getByLabel("Current password");
    await expect(current).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByText("The password is incorrect.")).toBeVisible();
    await current.fill("longenough");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect.poll(() => gateway.password).toBe("a better one");
    await expect(current).toHaveValue("");
    await page.getByRole("button", { name: "Set up user accounts" }).click();
    await page.getByLabel("Admin username").fill("mira_kowalska");
    await page.getByLabel("Admin password", { exact: true }).fill("longenough");
    await page.getByLabel("Current instance password").fill("a better one");
    await page.getByRole("button", { name: "Switch to user accounts" }).click();
    const sent = page.waitForRequest("**/api/system/enable-multi-user");
    await dialog(page).getByRole("button", { name: "Switch to user accounts" }).click();
    expect((await sent).postDataJSON()).toEqual({
      username: "mira_kowalska",
      password: "longenough",
      currentPassword: "a better one",
    });
    await expect(page.getByText("Save your recovery codes")).toBeVisible();
  });
});

test.describe("keys", () => {
  test("of the developer API show their use and budget", async ({ page, gateway }) => {
    gateway.usage.budgets = [];
    await go(page, gateway, admin, "/settings/api-keys");
    await expect(row(page, "Search on the intranet").getByText("Expired")).toBeVisible();
    const nightly = row(page, "Nightly import");
    await expect(nightly.getByText("Documents")).toBeVisible();
    await expect(nightly.getByText("60,000 tokens")).toBeVisible();
    await menu(page, "Nightly import", "Set a budget");
    await expect(dialog(page).getByText("Budget of Nightly import")).toBeVisible();
    await dialog(page).getByLabel("Limit").fill("20");
    await dialog(page).getByRole("button", { name: "Save", exact: true }).click();
    await expect(nightly.getByText("of $20.00")).toBeVisible();
    await nightly.getByRole("link", { name: "Show usage of Nightly import" }).click();
    await page.waitForURL("**/settings/usage?**keyId=1**");
  });

  test("of the developer API are created, shown once and deleted, in single-user and multi-user mode", async ({
    page,
    gateway,
  }) => {
    for (const multi of [false, true]) {
      if (multi) {
        await go(page, gateway, admin, "/settings/api-keys");
        await expect(row(page, "Nightly import").getByText("mira_kowalska")).toBeVisible();
        await page.getByRole("button", { name: "Create key" }).click();
      } else {
        await page.goto("/settings/api-keys");
        await expect(page.getByText("No API keys yet")).toBeVisible();
        await page.getByRole("button", { name: "Create key" }).click();
      }
      await dialog(page).getByLabel("Name").fill("Backup");
      // People who want more must say so.
      await expect(dialog(page).getByRole("radio", { name: "Limited" })).toBeChecked();
      await expect(dialog(page).getByRole("radio", { name: "Selected" })).toBeChecked();
      await expect(dialog(page).getByLabel("Expiration")).toHaveValue("90");
      await page.keyboard.press("Enter");
      await expect(dialog(page).getByLabel("API key")).toHaveValue(
        "carrel-T5W9QKD-1ZN4RXM-B7V2HCA-P8J6EYG",
      );
      await dialog(page).getByRole("button", { name: "Done" }).click();
      await expect(row(page, "Backup").getByText("***6EYG")).toBeVisible();
      await expect(page.getByText("T5W9QKD-1ZN4RXM")).toHaveCount(0);
      await expect(row(page, "Backup").getByText("1 workspace")).toBeVisible();
      await menu(page, "Backup", "Edit");
      await dialog(page)
        .getByRole("checkbox", { name: /^Documents/ })
        .check();
      await dialog(page).getByRole("checkbox", { checked: true }).last().uncheck();
      await dialog(page).getByLabel("Expiration").selectOption("30 days");
      await dialog(page).getByLabel("Requests per minute").fill("0");
      await dialog(page).getByRole("button", { name: "Save changes" }).click();
      await expect(dialog(page).getByText("Choose at least one workspace.")).toBeVisible();
      await expect(dialog(page).getByText("Enter a whole number")).toBeVisible();
      await dialog(page).getByLabel("Requests per minute").fill("60");
      await dialog(page).getByRole("checkbox").last().check();
      await dialog(page).getByRole("button", { name: "Save changes" }).click();
      await expect(row(page, "Backup").getByText("1 workspace · 60 requests/min")).toBeVisible();
      await expect(row(page, "Backup").getByText("Documents")).toBeVisible();
      await menu(page, "Backup", "Delete key");
      await dialog(page).getByRole("button", { name: "Delete key" }).click();
      await expect(row(page, "Backup")).toHaveCount(0);
      await expect(page.getByRole("link", { name: "API documentation" })).toHaveAttribute(
        "href",
        "/api/docs",
      );
    }
    await expect
      .poll(() =>
        gateway.requests
          .filter((request) => /api-key/.test(request.path) && request.method !== "GET")
          .map(({ method, path }) => `${method} ${path.replace(/\d+/, "n")}`),
      )
      .toEqual([
        "POST /system/generate-api-key",
        "PUT /system/api-key/n",
        "DELETE /system/api-key/n",
        "POST /admin/generate-api-key",
        "PUT /admin/api-keys/n",
        "DELETE /admin/delete-api-key/n",
      ]);
  });
  test("of browser extensions connect a listening extension, and are shown once", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, "olu", "/settings/browser-extension");
    await expect(page.getByText("These are your keys.")).toBeVisible();
    await expect(page.getByRole("row").filter({ has: page.getByRole("cell") })).toHaveCount(1);
    await page.evaluate(() =>
      addEventListener("message", ({ data, origin }) => {
        document.body.dataset.told = JSON.stringify({ data, origin });
      }),
    );
    await page.getByRole("button", { name: "Connect a browser" }).click();
    const connection = await dialog(page).getByLabel("Connection string").inputValue();
    expect(connection).toBe(`${gateway.url}/api|brx-X3M8TNW-5QD2KZR-V9B7CPH-A4E6JGY`);
    await expect
      .poll(async () => JSON.parse((await page.locator("body").getAttribute("data-told")) ?? ""))
      .toEqual({
        data: { type: "NEW_BROWSER_EXTENSION_CONNECTION", apiKey: connection },
        origin: gateway.url,
      });
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await menu(page, "brx-*******-*******-*******-***6JGY", "Delete key");
    await dialog(page).getByRole("button", { name: "Delete key" }).click();
    await expect(row(page, "***6JGY")).toHaveCount(0);
  });
});

test.describe("event log", () => {
  test("shows ten events per page in readable form, expands details and can be cleared", async ({
    page,
    gateway,
  }) => {
    await go(page, gateway, admin, "/settings/event-logs");
    await expect(page.getByText("1 to 10 of 14")).toBeVisible();
    await page.getByRole("button", { name: "User changed" }).click();
    await expect(page.getByText("Role: default → manager")).toBeVisible();
    await expect(
      row(page, "Sign-in failed: wrong password").getByText("Not signed in"),
    ).toBeVisible();
    await expect(row(page, "docs.example.com/guide").getByText("Carrel")).toBeVisible();
    // an event that this version has no text for
    await expect(page.getByRole("button", { name: "Workspace thread created" })).toBeVisible();
    await page.getByRole("button", { name: "Older" }).click();
    await expect(page.getByText("11 to 14 of 14")).toBeVisible();
    await expect(page.getByRole("button", { name: "Older" })).toBeDisabled();
    await page.goBack();
    await expect(page.getByText("1 to 10 of 14")).toBeVisible();
    await page.goForward();
    await expect(page.getByText("11 to 14 of 14")).toBeVisible();
    await page.getByRole("button", { name: "Clear log" }).click();
    await dialog(page).getByRole("button", { name: "Clear log" }).click();
    await expect(page.getByRole("button", { name: "Event log cleared" })).toBeVisible();
  });

  test("is narrowed by filters in the address and exported", async ({ page, gateway }) => {
    await go(page, gateway, admin, "/settings/event-logs");
    await page.getByLabel("Event", { exact: true }).selectOption("User changed");
    await expect(page.getByText("1 to 1 of 1")).toBeVisible();
    await expect(page).toHaveURL(/event=user_updated/);
    await page.reload();
    await expect(page.getByLabel("Event", { exact: true })).toHaveValue("user_updated");
    await page.getByLabel("Search details").fill("nothing like it");
    await expect(page.getByText("No matching events")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page.getByText("1 to 10 of 14")).toBeVisible();
    await expect(page.getByLabel("Search details")).toHaveValue("");
    await page.getByLabel("User", { exact: true }).selectOption("Not signed in");
    await expect(page.getByText("1 to 2 of 2")).toBeVisible();
    for (const [item, query] of [
      ["Filtered table (CSV)", /format=csv&userId=0&timeZone=/],
      ["Verifiable log (JSONL)", /format=jsonl$/],
    ] as const) {
      await page.getByRole("button", { name: "Export" }).click();
      const [request] = await Promise.all([
        page.waitForRequest("**/system/event-logs/export**"),
        page.getByRole("menuitem", { name: item }).click(),
      ]);
      expect(request.url()).toMatch(query);
    }
  });

  test("can be verified, and shows its keys and retention", async ({ page, gateway }) => {
    await go(page, gateway, admin, "/settings/event-logs");
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(
      page.getByText("1,412 entries (1 to 1,412) are intact and match 31 daily signatures."),
    ).toBeVisible();
    gateway.admin.log.fault = { code: "changed", sequence: 203, reason: "" };
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByRole("alert")).toContainText(
      "Entry 203 was changed after it was recorded.",
    );
    gateway.admin.log.fault = { code: "outside-key", sequence: null, reason: "" };
    gateway.admin.log.unknownAnchors = { count: 2, days: ["2026-11-02", "2026-11-03"] };
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByRole("alert")).toContainText(
      "copies of 2 daily signatures (Nov 2 – 3, 2026) that none of the log's keys made",
    );
    await page.getByRole("button", { name: "Integrity and retention" }).click();
    await expect(dialog(page).getByText(/^MCowBQYDK2VwAyEA/)).toBeVisible();
    await dialog(page).getByLabel("Keep entries").selectOption("90 days");
    await dialog(page).getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Retention saved.")).toBeVisible();
    await expect.poll(() => gateway.admin.log.retentionDays).toBe(90);
  });
});
