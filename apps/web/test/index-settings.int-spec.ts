import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Page } from "playwright-core";
import type { FakeGateway } from "./fake-gateway.ts";
import { large, minilm } from "./fake-index.ts";
import { settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
let gateway: FakeGateway;
let page: Page;
beforeEach(() => {
  ({ gateway, page } = web);
});
const panel = () => page.getByRole("region", { name: "Search index" });
const go = async (path: string): Promise<void> => {
  await page.goto(`${gateway.url}/settings/${path}`);
};
const dialog = () => page.getByRole("dialog");

describe("what the index does", () => {
  it.each(["embedding-preference", "vector-database"])("is told on %s", async (path) => {
    await go(path);
    await panel().getByText("all-MiniLM-L6-v2 in LanceDB").waitFor();
    await poll(() => panel().textContent()).toContain("18,420 vectors");
    await poll(() => panel().getByRole("button").count()).toBe(0);
  });
  it("is not told where nothing was ever embedded", async () => {
    gateway.index.state.active = null;
    const told = page.waitForResponse("**/api/system/index");
    await go("vector-database");
    await page.getByRole("heading", { name: "Vector database" }).waitFor();
    await page.getByText("LanceDB").first().waitFor();
    await told;
    await settled(page);
    await poll(() => panel().count()).toBe(0);
  });
  it("follows a build without being asked, and stops it", async () => {
    gateway.index.build(0.25);
    await go("embedding-preference");
    await panel().getByText("Building text-embedding-3-large in LanceDB").waitFor();
    await poll(() => panel().textContent()).toContain(
      "The current index answers until it is done.",
    );
    await poll(() => panel().textContent()).toContain("6 of 24 documents · about 11 minutes left");
    gateway.index.build(0.5, { state: "waiting", message: "The embedder does not answer." });
    await poll(() => gateway.watchers).toBe(1);
    gateway.change({ type: "index.changed" });
    await panel().getByText("12 of 24 documents").waitFor();
    await panel().getByText("The embedder does not answer.").waitFor();
    await panel().getByRole("button", { name: "Stop building" }).click();
    await dialog().getByText("the settings go back to what answers now").waitFor();
    await dialog().getByRole("button", { name: "Stop building" }).click();
    await page.getByText("The current index stays.").waitFor();
    await panel().getByText("Building").waitFor({ state: "detached" });
    await poll(() => gateway.index.acts).toEqual(["stop"]);
  });
  it("goes back to the one before, or lets it go", async () => {
    gateway.index.state = {
      ...gateway.index.state,
      active: large,
      previous: { target: minilm, since: new Date().toISOString() },
    };
    await go("vector-database");
    await panel().getByText("all-MiniLM-L6-v2 in LanceDB answered before").waitFor();
    gateway.index.refuse = "Another index is being built.";
    await panel().getByRole("button", { name: "Let it go" }).click();
    await dialog().getByRole("button", { name: "Let it go" }).click();
    await page.getByText("That did not work: Another index is being built.").waitFor();
    await panel().getByRole("button", { name: "Go back to it" }).click();
    await dialog().getByRole("button", { name: "Go back to it" }).click();
    await page.getByText("The index of before answers again.").waitFor();
    await poll(() => gateway.index.acts).toEqual(["undo"]);
  });
  it("says why what was chosen is not built", async () => {
    gateway.index.state = {
      ...gateway.index.state,
      wanted: large,
      reason: "Incorrect API key provided.",
    };
    await go("embedding-preference");
    await panel().getByText("Incorrect API key provided.").waitFor();
    await panel().getByRole("button", { name: "Keep the current index" }).click();
    await dialog().getByRole("button", { name: "Keep the current index" }).click();
    await panel().getByText("Incorrect API key provided.").waitFor({ state: "detached" });
  });
});

describe("text splitting", () => {
  it("is set within what the embedder takes, and keeps what was typed when it fails", async () => {
    await go("text-splitter-preference");
    const size = page.getByLabel("Length of a passage, in characters");
    const overlap = page.getByLabel("Overlap of neighbours, in characters");
    await poll(async () => [await size.inputValue(), await overlap.inputValue()]).toEqual([
      "1000",
      "20",
    ]);
    await size.fill("4000");
    await page.getByText("Between 50 and 1,000 characters.").waitFor();
    await page.getByRole("button", { name: "Save text splitting" }).click();
    expect(gateway.index.acts).toEqual([]);
    await size.fill("400");
    await overlap.fill("300");
    await page.getByText("A number, at most half the length of a passage.").waitFor();
    await overlap.fill("40");
    gateway.index.refuse = "The database is being restored.";
    await page.getByRole("button", { name: "Save text splitting" }).click();
    await page
      .getByText("Failed to save text splitting: The database is being restored.")
      .waitFor();
    await poll(() => size.inputValue()).toBe("400");
    await page.getByRole("button", { name: "Save text splitting" }).click();
    await page.getByText("Text splitting was saved.").waitFor();
    await poll(() => gateway.index.preferences).toMatchObject({
      text_splitter_chunk_size: "400",
      text_splitter_chunk_overlap: "40",
    });
    await page.reload();
    await poll(() => size.inputValue()).toBe("400");
  });
});

it.each(["default", "light"])("has no serious fault of accessibility, %s", async (theme) => {
  await web.open({ colorScheme: theme === "light" ? "light" : "dark" });
  ({ page } = web);
  gateway.index.build(0.4, { state: "failed", message: "Incorrect API key provided." });
  for (const [path, text] of [
    ["embedding-preference", "Incorrect API key provided."],
    ["text-splitter-preference", "Overlap of neighbours"],
  ] as const) {
    await go(path);
    await page.getByText(text).first().waitFor();
    await settled(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => [id, nodes[0]?.html]),
    ).toEqual([]);
  }
});
