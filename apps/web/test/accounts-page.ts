import type { Page } from "@playwright/test";

export const stored = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    ["anythingllm_user", "anythingllm_authToken", "anythingllm_authTimestamp"].map((key) =>
      localStorage.getItem(key),
    ),
  );
export const password = (page: Page) => page.getByLabel("Password", { exact: true });
export async function fill(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await password(page).fill(secret);
  await page.keyboard.press("Enter");
}
export const home = "**/workspace/heat-pump-retrofit";
