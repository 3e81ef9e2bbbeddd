import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleOnAllScreens } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { menu } from "./admin-page.ts";
import { connectionWire, runWire, sourceItem } from "./fake-connectors.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, phone, test } from "./fixtures.ts";

const sources = "/workspace/heat-pump-retrofit/documents?sources=";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const sentTo = (gateway: FakeGateway, path: string) =>
  gateway.connections.sent.filter((each) => each.path === path).map(({ body }) => body);
const open = async (page: Page, gateway: FakeGateway, n: number, more = ""): Promise<void> => {
  await page.goto(`${sources}${gateway.connections.connections[n]!.id}${more}`);
};

test.describe("sources", () => {
  test("a website comes in, from its form to the retry of what failed", async ({
    page,
    gateway,
  }) => {
    const fake = gateway.connections;
    await page.goto("/workspace/heat-pump-retrofit/documents");
    await page.getByRole("link", { name: "Sources", exact: true }).click();
    const kinds = page.getByRole("list", { name: "Kinds of sources" }).getByRole("link");
    await expect(kinds.first()).toHaveText(/^Website/);
    await expect(kinds.nth(1)).toHaveText(/^GitHub/);
    await page.getByLabel("Search sources").fill("pages site");
    await expect(page.getByRole("list", { name: "Kinds of sources" }).getByRole("link")).toHaveText(
      [/^Website/],
    );
    await page.getByRole("link", { name: /^Website/ }).click();

    await button(page, "Start import").click();
    await expect(page.getByText("Fill in this field.")).toBeVisible();
    await page.getByLabel("Start page").fill("docs.example.com/guide");
    await page.getByLabel("Link depth").fill("11");
    await expect(page.getByText("Enter at most 10.")).toBeVisible();
    await page.getByLabel("Link depth").fill("3");
    await button(page, "Advanced settings").click();
    await page.getByLabel("Excluded paths").fill("/blog\n\n/old ");

    fake.refusal = "docs.example.com refused access (status 403).";
    await button(page, "Check connection").click();
    await expect(page.getByText(fake.refusal)).toBeVisible();
    fake.refusal = null;
    await button(page, "Check connection").click();
    await expect(page.getByText("Carrel can read this source.")).toBeVisible();

    await button(page, "Preview").click();
    const preview = page.getByRole("region", { name: "Preview" });
    await expect(preview).toContainText("At least 214 items would be imported");
    await expect(preview).toContainText("18 MB in all");
    await expect(preview).toContainText("There may be more");
    await expect(preview).toContainText("robots.txt of docs.example.com asks programs");
    await expect(preview).toContainText("Night tariff");
    await expectAccessible(page);

    await button(page, "Start import").click();
    await expect(page.getByText("Waiting to start")).toBeVisible();
    const settings = {
      url: "docs.example.com/guide",
      depth: 3,
      scope: "folder",
      files: false,
      exclude: ["/blog", "/old"],
    };
    await expect.poll(() => sentTo(gateway, "")).toEqual([{ connector: "website", settings }]);

    await expect.poll(() => fake.watchers).toBe(1);
    const { id } = fake.connections[0]!;
    const running = runWire(id, {
      state: "running",
      isListed: false,
      found: 40,
      fetched: 10,
      skipped: 2,
      endedAt: null,
    });
    fake.report({ type: "connection_run", run: running });
    await expect(page.getByText("Importing, 12 of 40 found so far")).toBeVisible();
    await expect(page.getByText("10 documents")).toBeVisible();
    await expect(page.getByText("You can close this page. The import continues.")).toBeVisible();
    fake.report({
      type: "connection_run",
      run: { ...running, waitsUntil: new Date(Date.now() + 90_000).toISOString() },
    });
    await expect(page.getByText(/^Asked to wait until/)).toBeVisible();
    fake.report({ type: "connection_run", run: running });
    await button(page, "Pause").click();
    await expect(page.getByText("Paused, 12 of 40")).toBeVisible();
    await expect(page.getByText("You can close this page.")).toHaveCount(0);
    await button(page, "Resume").click();
    await expect(page.getByText("Importing, 12 of 40 found so far")).toBeVisible();

    const denied = { code: "source.denied", params: { host: "docs.example.com", status: 403 } };
    const robots = { code: "source.robots", params: { host: "docs.example.com" } };
    fake.items = [
      sourceItem(1, "fetched"),
      sourceItem(2, "failed", denied),
      sourceItem(3, "failed", denied),
      sourceItem(4, "skipped", robots),
      sourceItem(5, "skipped", { code: "source.gone" }),
      sourceItem(6, "pending"),
    ];
    fake.report({
      type: "connection_run",
      run: runWire(id, { found: 40, fetched: 37, skipped: 1, failed: 2, removed: 1 }),
    });
    await expect(page.getByText("1 document removed")).toBeVisible();
    await expect(page.getByText("Imported, 2 failed")).toBeVisible();
    const reasons = page.getByRole("list", { name: "Reasons" });
    await expect(reasons.getByRole("listitem")).toHaveText([
      "2docs.example.com refused access (status 403).",
      /^1robots.txt of docs.example.com/,
      "1The source no longer lists it.",
    ]);
    const items = page.getByRole("region", { name: "Items" }).getByRole("listitem");
    await expect(items.nth(4)).toContainText("Gone from the source");
    await expect(items.nth(5)).toContainText("Not read");
    await button(page, "Failed 2").click();
    await expect(items).toHaveText([/Page 2.*refused access.*Failed/, /Page 3/]);
    await button(page, "Retry failed items").click();
    await expect.poll(() => fake.sent.at(-1)?.path).toBe(`/${id}/retry`);
    await expect(page.getByText("Waiting to start")).toBeVisible();
  });

  test("show their state at once, and say why there are no documents", async ({
    page,
    gateway,
  }) => {
    const fake = gateway.connections;
    fake.fill();
    await page.goto(`${sources}all`);
    await expect(row(page, "docs.example.com")).toContainText("Importing, 96 of 214 found so far");
    await expect(row(page, "handbook")).toContainText("Imported, 3 failed");
    await expect(row(page, "Facility wiki")).toContainText(
      "wiki.example.com refused access (status 401).",
    );
    const { id } = fake.connections[0]!;
    fake.items = [sourceItem(1, "skipped", { code: "source.no-index" })];
    await expect.poll(() => fake.watchers).toBe(1);
    fake.report({
      type: "connection_run",
      run: runWire(id, { found: 3, fetched: 0, skipped: 3, bytes: 0 }),
    });
    await expect(row(page, "docs.example.com")).toContainText(
      "1 of 3 items: The page asks not to be indexed.",
    );
    fake.report({
      type: "connection_run",
      run: runWire(id, { fault: { code: "source.too-many-items", params: { limit: 5_000 } } }),
    });
    await page.getByRole("link", { name: "docs.example.com/guide" }).click();
    await expect(page.getByText("Not everything was imported.")).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    fake.connections = fake.connections.filter((each) => each.id !== id);
    fake.report({ type: "connection_removed", connectionId: id });
    await expect(row(page, "handbook")).toBeVisible();
    await expect(row(page, "docs.example.com")).toHaveCount(0);
    await expectAccessibleOnAllScreens(page);
  });

  test("sum up earlier imports in a row that changed nothing", async ({ page, gateway }) => {
    const fake = gateway.connections;
    fake.fill();
    const { id } = fake.connections[1]!;
    const earlier = (n: number, fetched: number) =>
      runWire(id, { id: `aaaaaaaa-0000-4000-8000-00000000001${n}`, fetched, unchanged: 90 });
    fake.earlier = [earlier(1, 0), earlier(2, 0), earlier(3, 0), earlier(4, 5), earlier(5, 0)];
    await open(page, gateway, 1);
    const past = page.locator("section").filter({ hasText: "Earlier imports" });
    await expect(past.getByRole("listitem")).toHaveText([
      /^3 syncs without changeslast /,
      /5 imported/,
      /0 imported, 90 unchanged/,
    ]);
  });

  test("are edited without showing their credential, which stays with its server", async ({
    page,
    gateway,
  }) => {
    const fake = gateway.connections;
    fake.fill();
    const { id } = fake.connections[1]!;
    await page.goto(`${sources}all`);
    await menu(page, "harbour/handbook", "Edit source");
    await expect(page.getByText("A credential is saved. It's never shown.")).toBeVisible();
    await expect(page.getByLabel("Access token")).toHaveCount(0);
    fake.refusal = "github.com refused access (status 401).";
    await page.getByRole("combobox", { name: "Branch" }).click();
    await expect(page.getByText(fake.refusal)).toBeVisible();
    fake.refusal = null;
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Branch" }).click();
    await page.getByRole("option", { name: "release/2026" }).click();
    await button(page, "Save changes").click();
    await expect(page.getByText("Source saved.")).toBeVisible();
    const repo = "https://github.com/harbour/handbook";
    await expect
      .poll(() => sentTo(gateway, `/${id}`))
      .toEqual([{ name: "harbour/handbook", settings: { repo, branch: "release/2026" } }]);
    await expect
      .poll(() => sentTo(gateway, "/choices")[1])
      .toEqual({
        connector: "github",
        settings: { repo },
        connectionId: id,
        field: "branch",
      });

    await open(page, gateway, 1, "/edit");
    await page.getByLabel("Repository").fill("https://git.example.org/harbour/handbook");
    await expect(page.getByText(/^The saved credential belongs to another server/)).toBeVisible();
    await page.getByLabel("Access token").fill("s3cret");
    await button(page, "Save changes").click();
    await expect
      .poll(() => sentTo(gateway, `/${id}`)[1])
      .toMatchObject({
        credential: { token: "s3cret" },
      });
    await expect(page.getByRole("heading", { name: "harbour/handbook" })).toBeVisible();
    await expect(page.getByText("s3cret")).toHaveCount(0);

    await page.goto(`${sources}new/github`);
    await page.getByLabel("Repository").fill("https://github.com/a/b");
    await page.getByRole("link", { name: "All sources" }).click();
    await expect(page.getByRole("dialog", { name: "Discard this source?" })).toBeVisible();
    await button(page, "Cancel").click();
    await expect(page.getByLabel("Repository")).toHaveValue("https://github.com/a/b");
  });

  test("mirror permissions, say whom that affects, and let only their owner open them", async ({
    page,
    gateway,
  }) => {
    const fake = gateway.connections;
    fake.preview.permissions = true;
    fake.preview.access = { checked: 200, everyone: 12, restricted: 188, people: 4, unmatched: 6 };
    await page.goto(`${sources}new/website`);
    await expect(page.getByLabel("Start page")).toBeVisible();
    await expect(page.getByRole("switch", { name: "Mirror permissions" })).toHaveCount(0);
    await page.goto(`${sources}new/github`);
    await page.getByLabel("Repository").fill("https://github.com/harbour/handbook");
    const mirror = page.getByRole("switch", { name: "Mirror permissions" });
    await expect(mirror).toBeChecked();
    await button(page, "Preview").click();
    const preview = page.getByRole("region", { name: "Preview" });
    await expect(preview).toContainText("188only for 4 people here");
    await expect(preview).toContainText("6 people at the source couldn't be matched");
    await expect(preview).toContainText("Read for the first 200 items.");
    await page.getByRole("switch", { name: "Match account names" }).click();
    await expect(preview).toContainText("The settings have changed since this preview.");
    fake.preview.access.unmatched = 0;
    await button(page, "Preview").click();
    await expect(preview).not.toContainText("couldn't be matched");
    await expect
      .poll(() => sentTo(gateway, "/preview").map(({ matchAccounts }) => matchAccounts))
      .toEqual([false, true]);
    await mirror.click();
    await expect(preview).toContainText("188 of these items are only for some people");
    await expect(page.getByRole("switch", { name: "Match account names" })).toHaveCount(0);
    await expectAccessible(page);
    await mirror.click();
    await button(page, "Start import").click();
    await expect
      .poll(() => sentTo(gateway, "")[0])
      .toMatchObject({ mirrorPermissions: true, matchAccounts: true });

    const fault = { code: "source.failing", params: { host: "github.com", status: 502 } };
    fake.connections = [
      connectionWire(1, {
        connector: "github",
        name: "harbour/handbook",
        ownerId: 7,
        mirrorPermissions: true,
        accessCheckedAt: new Date(Date.now() - 7_500_000).toISOString(),
        accessFault: fault,
      }),
    ];
    gateway.accounts.add("jo", "manager");
    await signedIn(page, gateway, "jo");
    await open(page, gateway, 0);
    await expect(page.getByText("Documents are only for people who may see them")).toContainText(
      "Checked 2h ago.",
    );
    await expect(page.getByText("github.com answered with status 502.")).toBeVisible();
    await page.getByRole("link", { name: "Change permissions" }).click();
    await expect(page.getByText(/^Only the owner of this source/)).toBeVisible();
    await expect(mirror).toBeChecked();
    await expect(mirror).toBeDisabled();
    await expect(page.getByRole("switch", { name: "Match account names" })).toBeDisabled();
    await expectAccessibleOnAllScreens(page);
  });

  test("say when nothing can be imported, and why a list can't be read", async ({
    page,
    gateway,
  }) => {
    const fake = gateway.connections;
    const [github] = fake.connectors.filter(({ id }) => id === "github");
    fake.connectors = [];
    await page.goto(`${sources}new`);
    await expect(page.getByText("No data connectors found.")).toBeVisible();
    fake.connectors = [github!];
    gateway.library.processorOnline = false;
    await page.goto(`${sources}new/github`);
    await expect(page.getByText("Document processor unavailable")).toBeVisible();
    await page.getByLabel("Repository").fill("https://github.com/harbour/handbook");
    fake.refusal = "github.com refused access (status 401).";
    await page.getByRole("combobox", { name: "Branch" }).click();
    await expect(page.locator("[data-sonner-toast]")).toHaveText(
      new RegExp(fake.refusal.slice(0, 25)),
    );
    await expect(page.getByText(/^The source lists nothing to choose from/)).toBeVisible();
    await expect(page.getByRole("option")).toHaveCount(0);
    await expectAccessible(page);
  });

  test("are removed with or without their documents", async ({ page, gateway }) => {
    const fake = gateway.connections;
    fake.fill();
    const { id } = fake.connections[1]!;
    await open(page, gateway, 1);
    await menu(page, "harbour/handbook", "Remove source");
    const dialog = page.getByRole("dialog", { name: "Remove harbour/handbook?" });
    await expect(dialog).toContainText("198 documents stay in the workspace");
    await dialog.getByRole("radio", { name: /Delete its documents too/ }).check();
    await expectAccessible(page);
    await button(page, "Remove source and documents").click();
    await expect(page.getByText("Source and 198 documents removed.")).toBeVisible();
    await expect(row(page, "Facility wiki")).toBeVisible();
    await expect(row(page, "harbour/handbook")).toHaveCount(0);
    await expect.poll(() => sentTo(gateway, `/${id}`)).toEqual([{ documents: true }]);
  });

  test("are closed to members, and other people's can't be changed", async ({ page, gateway }) => {
    gateway.connections.fill();
    gateway.accounts.add("jo", "default");
    await signedIn(page, gateway, "jo");
    await page.goto(`${sources}all`);
    await expect(page.getByText(/^Only managers and admins can see and add sources/)).toBeVisible();
    gateway.memberRights = { rights: ["uploadDocuments"], choosesModels: false, ownWorkspaces: [] };
    await open(page, gateway, 3);
    await expect(page.getByText(/^Only whoever added this source/)).toBeVisible();
    await expect(button(page, "Import again")).toHaveCount(0);
    await open(page, gateway, 3, "/edit");
    await expect(page.getByText(/^Only whoever added this source/)).toBeVisible();
  });

  test.describe("on a phone", () => {
    test.use(phone);
    test("can be followed, and say that a desktop is easier to set them up", async ({
      page,
      gateway,
    }) => {
      const fake = gateway.connections;
      fake.fill();
      fake.items = [sourceItem(1, "fetched"), sourceItem(2, "pending")];
      await page.goto(`${sources}all`);
      await page.getByRole("link", { name: "docs.example.com/guide" }).tap();
      await expect(page.getByText("Importing, 96 of 214 found so far")).toBeVisible();
      await expect(page.getByText("Page 2", { exact: true })).toBeVisible();
      await expectAccessible(page);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.getByRole("button", { name: "Cancel import" }).tap();
      await expect(page.getByText("Canceled, 96 of 214")).toBeVisible();
      await page.goto(`${sources}new/website`);
      await expect(page.getByText(/easier on a desktop device/)).toBeVisible();
    });
  });
});
