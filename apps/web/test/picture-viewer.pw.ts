import { expect, test } from "./fixtures.ts";
import { notice, picture } from "./make-picture.ts";
import { openCited } from "./open-cited.ts";
import { cite } from "./originals.ts";

test("a picture has the recognised words of the passage marked, at any zoom", async ({
  page,
  gateway,
}) => {
  cite(gateway, picture(), notice);
  await openCited(page, gateway, "It is [3].");
  const image = page.getByRole("img", { name: "Picture: notice.png" });
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
