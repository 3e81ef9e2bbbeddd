import { expect, test } from "./fixtures.ts";
import { notice, picture, scan } from "./make-picture.ts";
import { openCited } from "./open-cited.ts";
import { cite } from "./originals.ts";

test("a picture has the recognised words of the passage marked, at any zoom", async ({
  page,
  gateway,
}) => {
  cite(gateway, picture(), notice);
  await openCited(page, gateway, "It is [3].");
  const image = page.getByRole("img", { name: "Image: notice.png" });
  await expect(image).toBeVisible();
  const mark = page.locator(".pdf-mark");
  const place = async (): Promise<number[]> => {
    const box = (await mark.boundingBox())!;
    const whole = (await image.boundingBox())!;
    return [
      (box.x - whole.x) / whole.width,
      (box.y - whole.y) / whole.height,
      box.width / whole.width,
      box.height / whole.height,
    ].map((share) => Math.round(share * 50) / 50);
  };
  const expected = [40 / 600, (400 - 294) / 400, 300 / 600, 24 / 400].map(
    (share) => Math.round(share * 50) / 50,
  );
  await expect.poll(place).toEqual(expected);
  await expect(page.locator(".edge-bar")).toHaveText("3");
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page.getByRole("button", { name: "150" })).toBeVisible();
  await expect.poll(place).toEqual(expected);
});

test("a picture that the browser can't show is shown as text", async ({ page, gateway }) => {
  cite(gateway, { ...picture(), bytes: Buffer.from("no picture") }, notice);
  await openCited(page, gateway, "It is [3].");
  await expect(page.getByText("Couldn't display the pages.")).toBeVisible();
  await expect(page.locator(".paper-text .text-hit")).toHaveText(notice);
});

test("a scan is shown page by page, with the words of the passage marked", async ({
  page,
  gateway,
}) => {
  cite(gateway, scan(), notice);
  await openCited(page, gateway, `${notice} [3]`);
  const second = page.getByRole("img", { name: "Scanned page 2" });
  await expect(second).toBeInViewport();
  const mark = page.locator(".pdf-mark");
  await expect(mark).toHaveCount(1);
  await expect(mark).toBeInViewport();
  await expect(page.locator(".pdf-passage")).toHaveCount(1); // around the quote
  const place = async (): Promise<number[]> => {
    const box = (await mark.boundingBox())!;
    const whole = (await second.boundingBox())!;
    return [
      (box.x - whole.x) / whole.width,
      (box.y - whole.y) / whole.height,
      box.width / whole.width,
      box.height / whole.height,
    ].map((share) => Math.round(share * 50) / 50);
  };
  const expected = [40 / 600, (400 - 294) / 400, 300 / 600, 24 / 400].map(
    (share) => Math.round(share * 50) / 50,
  );
  await expect.poll(place).toEqual(expected);
  await expect(page.locator(".edge-bar")).toHaveText("3");
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(place).toEqual(expected);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page.getByRole("img", { name: "Scanned page 3" })).toBeInViewport();
  await expect(page.getByText("3 / 3")).toBeVisible();
});

test("a scan that the server can't convert is shown as text", async ({ page, gateway }) => {
  cite(gateway, { ...scan(), scanned: [] }, notice);
  await openCited(page, gateway, "It is [3].");
  await expect(page.getByText("Couldn't display the pages.")).toBeVisible();
  await expect(page.locator(".paper-text .text-hit")).toHaveText(notice);
});
