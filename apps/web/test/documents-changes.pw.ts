import { documents } from "./fake-data.ts";
import { expect, test } from "./fixtures.ts";
import { slug } from "./sidebar-page.ts";

test("a hundred uploads elsewhere take few requests, and the list is right in the end", async ({
  page,
  gateway,
}) => {
  const aborted: string[] = [];
  page.on("requestfailed", (request) => {
    if (request.url().includes("/documents?")) aborted.push(request.url());
  });
  await page.goto(`/workspace/${slug}/documents`);
  const pane = page.locator("[data-zone=workspace]");
  await expect(pane.getByText(/^9 documents/)).toBeVisible();
  await expect.poll(() => gateway.progressWatchers).toBe(1);
  const lists = (): number =>
    gateway.requests.filter(({ path }) => path === `/workspace/${slug}/documents`).length;
  const before = lists();
  const workspaceId = gateway.workspaces.find((each) => each.slug === slug)!.id;
  for (let n = 0; n < 100; n += 1) {
    const document = {
      ...documents()[7]!,
      documentId: `00000000-0000-4000-8000-${String(700_000 + n).padStart(12, "0")}`,
      title: `Uploaded ${n}.docx`,
    };
    gateway.documents[slug]!.unshift(document);
    for (const state of ["queued", "embedded"])
      gateway.report({ type: "document_state", document: { ...document, state } });
    gateway.change({ type: "workspace-documents.changed", workspaceId });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await expect(pane.getByText(/^109 documents/)).toBeVisible();
  await expect(pane.getByText("Uploaded 99.docx")).toBeVisible();
  await expect.poll(() => lists() - before).toBeLessThan(10);
  expect(aborted).toEqual([]);
});
