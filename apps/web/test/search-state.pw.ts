import type { getSearchState, Out } from "@carrel/contracts";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, test, threadPath } from "./fixtures.ts";
import { slug } from "./sidebar-page.ts";

type State = Out<typeof getSearchState>;
const state = (embedder: State["embedder"], embedded = 212): State => ({
  documents: 327,
  embedded,
  embedder,
});
const partly = "Searching by words; semantic search is ready for 212 of 327 documents.";
const manager = (page: Page) => page.locator("[data-zone=workspace]");

test.describe("the state of semantic search", () => {
  for (const [name, shown, line] of [
    ["some documents wait", state({ state: "ready", fault: null }), partly],
    [
      "all documents are embedded",
      state({ state: "ready", fault: null }, 327),
      "Searching by words and by meaning.",
    ],
    [
      "the model is downloaded",
      state({ state: "downloading", fault: { code: "embedder.downloading" } }, 0),
      "Searching by words; the model for semantic search is being downloaded.",
    ],
    [
      "the hub can't be reached",
      state(
        {
          state: "missing",
          fault: {
            code: "embedder.download-failed",
            params: { reason: { code: "egress.unreachable", params: { host: "hub" } }, minutes: 1 },
          },
        },
        0,
      ),
      "Searching by words; the model for semantic search couldn't be downloaded. Carrel will retry.",
    ],
    [
      "downloads are off",
      state({ state: "off", fault: { code: "embedder.downloads-disabled" } }, 0),
      "Searching by words; semantic search is off on this server.",
    ],
  ] as const)
    test(`is one line in the manager when ${name}`, async ({ page, gateway }) => {
      gateway.searchState = shown as State;
      const reason = { code: "embedder.download-failed", params: { reason: "", minutes: 1 } };
      for (const document of gateway.documents[slug]!)
        if (document.state === "searchable") Object.assign(document, { reason });
      await page.goto(`/workspace/${slug}/documents`);
      await expect(manager(page).getByRole("status").filter({ hasText: "Searching" })).toHaveText(
        line,
      );
      await expect(
        manager(page).getByRole("row").filter({ hasText: "Funding decision" }),
      ).toContainText("Searchable by words");
      await expect(page.getByText("model hub")).toBeHidden();
    });

  test("follows the documents, and is said below the last answer while some wait", async ({
    page,
    gateway,
  }) => {
    gateway.searchState = state({ state: "ready", fault: null });
    for (const answer of ["At 48 °C.", "At 52 °C."])
      gateway.addTurn(slug, "flow", { question: "How warm?", answer });
    await page.goto(threadPath);
    const log = page.getByRole("log");
    await expect(log.getByText(partly)).toHaveCount(1);
    await expectAccessible(page);
    gateway.searchState = state({ state: "ready", fault: null }, 327);
    gateway.change({
      type: "workspace-documents.changed",
      workspaceId: gateway.workspaces.find((each) => each.slug === slug)!.id,
    });
    await expect(log.getByText(partly)).toBeHidden();
    await expect(log.getByText("Searching by words")).toBeHidden();
  });
});
