import { expect, test, threadPath } from "./fixtures.ts";

const full = { place: "originals", condition: "disk-full" } as const;
const fullText =
  "The disk for uploaded files is full, so changes can't be saved. What to do: docs/runbooks/full-disk.md";

test("shows admins a full disk and its runbook until they close the warning", async ({
  page,
  gateway,
}) => {
  gateway.accounts.conditions = [full];
  await page.goto(threadPath);
  const notice = page.getByRole("list", { name: "System warnings" });
  await page.mouse.click(1, 1);
  await expect(notice).toHaveText(fullText);
  await expect(notice.getByRole("code")).toHaveText("docs/runbooks/full-disk.md");
  await page.getByRole("button", { name: "Close this notice" }).click();
  await expect(notice).toHaveCount(0);
});

test("a closed warning stays closed while others come, and returns if its cause does", async ({
  page,
  gateway,
}) => {
  await page.clock.install();
  gateway.accounts.conditions = [full];
  await page.goto(threadPath);
  const warnings = page.getByRole("list", { name: "System warnings" }).getByRole("listitem");
  await expect(warnings).toHaveText([fullText]);
  await page.getByRole("button", { name: "Close this notice" }).click();
  await expect(warnings).toHaveCount(0);

  const learn = async (conditions: typeof gateway.accounts.conditions): Promise<void> => {
    gateway.accounts.conditions = conditions;
    const answered = page.waitForResponse(/\/system\/conditions$/);
    await page.clock.fastForward(61_000);
    await answered;
  };
  await learn([full, { place: "redis", condition: "unreachable" }]);
  await expect(warnings).toHaveText([
    "The server can't reach Redis. What to do: docs/runbooks/unreachable-store.md",
  ]);
  await learn([]);
  await expect(warnings).toHaveCount(0);
  await learn([full]);
  await expect(warnings).toHaveText([fullText]);
});
