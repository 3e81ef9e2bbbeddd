import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, loopback, test } from "./product.ts";

test.use({ environment: loopback });

const pages = new Map<string, string>();
const files = new Map([
  ["README.md", "# Quay\n\nThe quay was rebuilt in 1911."],
  ["notes/crane.md", "# Crane\n\nThe crane lifts four tons."],
  ["logo.png", "\u0089PNG\0"],
]);
const shaOf = (text: string): string => createHash("sha1").update(text).digest("hex");
const commit = shaOf("commit");

/** What GitHub Enterprise answers about a repository with one commit. */
function answerAsGithub(path: string): string | undefined {
  const entry = ([name, text]: [string, string]) => ({
    path: name,
    mode: "100644",
    type: "blob",
    sha: shaOf(text),
    size: Buffer.byteLength(text),
  });
  switch (path) {
    case "":
      return JSON.stringify({ default_branch: "main", private: false, has_issues: true });
    case "/commits/main":
      return commit;
    case `/git/trees/${commit}`:
      return JSON.stringify({ sha: commit, tree: [...files].map(entry), truncated: false });
    default:
      return [...files.values()].find((text) => path === `/git/blobs/${shaOf(text)}`);
  }
}

let site: Server;
let origin: string;
test.beforeAll(async () => {
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://site");
    const api = "/api/v3/repos/octo/quay";
    const text = pages.get(pathname);
    const answer = pathname.startsWith(api)
      ? answerAsGithub(pathname.slice(api.length))
      : text && `<title>${pathname}</title><main><p>${text}</p></main>`;
    const type = pathname.startsWith(api) ? "application/json" : "text/html";
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": type });
    response.end(answer ?? "Not found");
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(() => site.close().closeAllConnections());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

for (const colorScheme of ["dark", "light"] as const)
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    let slug: string;
    test.beforeAll(async ({ product }) => {
      await product.api.json("POST", "/system/update-env", { LLMProvider: "extractive" });
      ({ slug } = await product.api.makeWorkspace(`Quay ${colorScheme}`));
    });

    const startImport = async (page: Page, kind: RegExp, label: string, address: string) => {
      await page.goto(`/workspace/${slug}/documents`);
      await page.getByRole("link", { name: "Sources", exact: true }).click();
      const add = page.getByRole("link", { name: "Add source" });
      const choice = page.getByRole("list", { name: "Kinds of sources" }).getByRole("link", {
        name: kind,
      });
      // The kinds are shown at once while there is no source.
      await expect(add.or(choice).first()).toBeVisible();
      if (await add.isVisible()) await add.click();
      await choice.click();
      await page.getByLabel(label, { exact: true }).fill(address);
      await button(page, "Preview").click();
      await expect(page.getByRole("region", { name: "Preview" })).toContainText(
        "would be imported",
      );
      await button(page, "Start import").click();
      await expect(page.getByText("Imported", { exact: true }).first()).toBeVisible();
    };

    test("a crawl and a repository come in", async ({ page, product }) => {
      const guide = `/${colorScheme}/guide/`;
      pages.set(guide, `Guide. <a href="tides.html">Tides</a> <a href="gone.html">Gone</a>`);
      pages.set(`${guide}tides.html`, "The tide turns at noon.");
      await startImport(page, /^Website/, "Start page", `${origin}${guide}`);
      const items = page.getByRole("region", { name: "Items" }).getByRole("listitem");
      await expect(items.filter({ hasText: "tides.html" })).toContainText("Imported");
      await expect(items.filter({ hasText: "gone.html" })).toContainText("Not found");

      await startImport(page, /^GitHub/, "Repository", `${origin}/octo/quay`);
      await expect(items.filter({ hasText: "notes/crane.md" })).toContainText("Imported");
      await expect(items.filter({ hasText: "logo.png" })).toContainText("Skipped");
      await expect
        .poll(async () => (await product.api.ask(slug, "How much does the crane lift?")).text)
        .toContain("four tons");
    });

    test("a watched page that changes is shown as it is now, with what changed", async ({
      page,
      product,
    }) => {
      const place = `/${colorScheme}/ferry.html`;
      pages.set(place, "The ferry leaves at seven.");
      await product.api.json("POST", "/experimental/toggle-live-sync", { updatedStatus: false });
      await page.goto("/settings/beta-features");
      await page.getByRole("switch", { name: "Live document sync" }).click();
      await expect(page.getByText("Live document sync is on.")).toBeVisible();

      await page.goto(`/workspace/${slug}/documents`);
      await page.getByLabel("Web page address").fill(origin + place);
      await button(page, "Add page").click();
      const row = page.getByRole("grid").getByRole("row").filter({ hasText: "ferry.html" });
      const choose = async (item: string): Promise<void> => {
        await row.getByRole("button", { name: /^Menu for/ }).click();
        await page.getByRole("menuitem", { name: item }).click();
      };
      await choose("Watch for changes");
      await button(page, "Got it").click();
      await expect(row).toContainText("Watched, synced");
      await choose("Sync settings");
      await page.getByRole("dialog").getByLabel("Sync every").selectOption("1 day");
      await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
      pages.set(place, "The ferry leaves at eleven.");
      await choose("Sync now");
      await expect(row).toContainText("Watched, changed");

      await row
        .getByRole("button", { name: /ferry\.html$/ })
        .first()
        .click();
      const panel = page.getByRole("complementary", { name: "Source" });
      await expect(panel).toContainText("The ferry leaves at eleven.");
      await expect(panel).toContainText("as of");
      await panel.getByRole("tab", { name: "Versions" }).click();
      await expect(panel.locator("del mark").first()).toHaveText("seven");
      await expect(panel.locator("ins mark").first()).toHaveText("eleven");
    });
  });
