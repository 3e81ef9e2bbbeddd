import type { FakeLlm } from "@carrel/testing";
import { expect, type Locator, type Page } from "@playwright/test";
import type { Api } from "./api.ts";

/** The chat window of one tab. */
export class ChatPage {
  constructor(
    readonly page: Page,
    private readonly product: { api: Api; vendor: FakeLlm },
  ) {}

  /** Creates a thread and opens it; returns its slug. */
  async openThread(slug: string): Promise<string> {
    const { thread } = await this.product.api.json<{ thread: { slug: string } }>(
      "POST",
      `/workspace/${slug}/thread/new`,
    );
    await this.page.goto(`/workspace/${slug}/t/${thread.slug}`);
    await expect(
      this.page
        .getByText("What would you like to know?")
        .or(this.page.getByText(/^Add documents to/))
        .first(),
    ).toBeVisible();
    return thread.slug;
  }

  /** Starts a new thread with the keyboard, once the page handles keys. */
  async startThread(): Promise<void> {
    await expect(this.page.getByLabel("Message", { exact: true })).toBeVisible();
    await this.page.keyboard.press("Control+Shift+O");
    await expect(this.page.getByText("What would you like to know?")).toBeVisible();
  }

  async ask(text: string): Promise<void> {
    await this.page.getByLabel("Message", { exact: true }).fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Asks with this reply from the vendor, and waits until the answer is complete. */
  async askFor(question: string, reply: string): Promise<Locator> {
    this.product.vendor.behave({ reply });
    await this.ask(question);
    const turn = this.page
      .locator("[data-turn]")
      .filter({ has: this.page.locator("[data-question]").getByText(question, { exact: true }) })
      .last();
    await expect(turn.getByRole("button", { name: "More actions for this answer" })).toBeVisible();
    return turn.getByRole("article");
  }

  /** The last answer, once it is complete. */
  async answered(): Promise<Locator> {
    const last = this.page.getByRole("article").last();
    await expect(last.getByRole("button", { name: "More actions for this answer" })).toBeVisible();
    return last;
  }

  /** Opens a menu by its button's name and chooses an entry. */
  async choose(menu: string | RegExp, entry: string): Promise<void> {
    await this.page.getByRole("button", { name: menu }).last().click();
    await this.page.getByRole("menuitem", { name: entry, exact: true }).click();
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  get questions(): Locator {
    return this.page.locator("[data-question]");
  }

  /** The last prompt the vendor received, as one text. */
  lastPrompt(): string {
    return JSON.stringify(
      this.product.vendor.requests
        .filter((request) => request.path.endsWith("/chat/completions"))
        .at(-1)?.body.messages ?? [],
    );
  }
}
