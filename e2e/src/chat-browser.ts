import {
  slowPages,
  startFakeLlm,
  startInstance,
  type FakeBehaviour,
  type FakeLlm,
  type Instance,
} from "@carrel/testing";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from "playwright-core";
import { Api } from "./api.ts";

/** A vendor slow enough to observe, whose answer never finishes before it is stopped. */
export const endless: FakeBehaviour = { tokens: 20_000, delayMs: 40 };

/** One person's browser on a real instance, with the fake vendor as its language model. */
export class ChatBrowser {
  private constructor(
    readonly instance: Instance,
    readonly vendor: FakeLlm,
    private readonly browser: Browser,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly api: Api,
  ) {}
  /** Errors that the pages reported; every test must end with none. */
  faults: string[] = [];
  /** Statuses that a test causes on purpose. */
  expected: number[] = [];

  static async start(environment: Record<string, string> = {}): Promise<ChatBrowser> {
    const [instance, vendor, browser] = await Promise.all([
      startInstance(environment),
      startFakeLlm({ models: ["harbour-small", "harbour-large"] }),
      chromium.launch({
        executablePath: process.env.CARREL_CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox"],
      }),
    ]);
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ["clipboard-read", "clipboard-write"],
      acceptDownloads: true,
    });
    context.setDefaultTimeout(60_000);
    slowPages(context);
    // A voice that never finishes: headless browsers have none.
    await context.addInitScript(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      Object.defineProperty(globalThis, "speechSynthesis", {
        value: {
          speak: (utterance: SpeechSynthesisUtterance) => {
            said.push(utterance.text);
          },
          cancel: () => {
            said.length = 0;
          },
        },
      });
    });
    const api = new Api(instance.url);
    await api.json("POST", "/system/update-env", {
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `${vendor.url}/v1`,
      GenericOpenAiModelPref: "harbour-small",
      GenericOpenAiTokenLimit: "8192",
    });
    const own = new ChatBrowser(instance, vendor, browser, context, await context.newPage(), api);
    own.watch(own.page);
    return own;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.vendor.stop();
    await this.instance.stop();
  }

  async newTab(): Promise<Page> {
    const tab = await this.context.newPage();
    this.watch(tab);
    return tab;
  }

  private watch(page: Page): void {
    page.on("console", (message) => {
      if (
        message.type() === "error" &&
        !this.expected.some((status) => message.text().includes(`status of ${status}`))
      )
        this.faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.faults.push(`script: ${error.message}`));
  }

  /** Creates and opens a new thread. */
  async openThread(slug: string, page = this.page): Promise<string> {
    const { thread } = await this.api.json<{ thread: { slug: string } }>(
      "POST",
      `/workspace/${slug}/thread/new`,
    );
    await page.goto(`${this.instance.url}/workspace/${slug}/t/${thread.slug}`);
    await page
      .getByText("What should we look up?")
      .or(page.getByText(/^Add documents to/))
      .first()
      .waitFor();
    return thread.slug;
  }

  async ask(text: string, page = this.page): Promise<void> {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
  }

  /** Asks with this reply from the vendor, and waits until the answer is complete. */
  async askFor(question: string, reply: string): Promise<Locator> {
    this.vendor.behave({ reply });
    await this.ask(question);
    const turn = this.page
      .locator(".turn")
      .filter({ has: this.page.locator(".mine").getByText(question, { exact: true }) })
      .last();
    await turn.getByRole("button", { name: "More for this answer" }).waitFor();
    return turn.getByRole("article");
  }

  /** The last answer, once it is complete. */
  async answered(page = this.page): Promise<Locator> {
    const last = page.getByRole("article").last();
    await last.getByRole("button", { name: "More for this answer" }).waitFor();
    return last;
  }

  /** Opens a menu by its button's name and chooses an entry. */
  async choose(menu: string | RegExp, entry: string, page = this.page): Promise<void> {
    const button = page.getByRole("button", { name: menu }).last();
    await button.click();
    await page.getByRole("menuitem", { name: entry, exact: true }).click();
  }

  dialog(page = this.page): Locator {
    return page.getByRole("dialog");
  }

  questions(page = this.page): Promise<string[]> {
    return page.locator(".mine").allTextContents();
  }

  /** The last prompt the vendor received, as one text. */
  lastPrompt(): string {
    return JSON.stringify(
      this.vendor.requests.filter((request) => request.path.endsWith("/chat/completions")).at(-1)
        ?.body.messages ?? [],
    );
  }
}
