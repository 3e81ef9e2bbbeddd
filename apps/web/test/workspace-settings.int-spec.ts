import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Page } from "playwright-core";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import type { FakeWorkspaces } from "./fake-workspaces.ts";
import { focused, settled, useWebBrowser } from "./web-browser.ts";
import { workspaceScreens } from "./workspace-screens.ts";

const web = useWebBrowser();
let gateway: FakeGateway;
let page: Page;
let instance: FakeWorkspaces;
const take = (): void => {
  ({ gateway, page } = web);
  instance = gateway.workspaceSettings;
};
beforeEach(take);
const at = (tab: string): string => `${gateway.url}/workspace/heat-pump-retrofit/settings/${tab}`;
const go = async (tab: string): Promise<void> => {
  await page.goto(at(tab));
  await page.getByRole("navigation", { name: "Workspace settings" }).waitFor();
};
const as = async (username: string): Promise<void> => {
  gateway.admin.fill();
  await signedIn(page, gateway, username);
};
const dialog = () => page.getByRole("dialog");
const save = async (): Promise<void> => {
  const before = instance.sent.length;
  await page.getByRole("button", { name: "Save changes" }).click();
  // the words may be of the save before
  await poll(() => instance.sent.length).toBeGreaterThan(before);
  await page.getByText("Workspace updated!").first().waitFor();
  await page.getByRole("button", { name: "Save changes", disabled: true }).waitFor();
};
/** From here on changes are not answered, until what this gives is called. */
const hold = (): (() => void) => {
  let answer = (): void => undefined;
  instance.held = new Promise((resolve) => {
    answer = () => {
      instance.held = null;
      resolve();
    };
  });
  return answer;
};
const bodies = (): Record<string, unknown>[] => instance.sent.map(({ body }) => body);

describe("who may open them", () => {
  it.each([
    ["jo-brandt", false],
    ["olu", true],
    ["mira_kowalska", true],
  ])("%s: %s", async (username, may) => {
    await as(username);
    await page.goto(at("chat-settings"));
    if (!may) {
      await page.waitForURL(`${gateway.url}/workspace/heat-pump-retrofit`);
      await page.getByLabel("Message", { exact: true }).waitFor();
      await poll(() => page.getByRole("link", { name: "Workspace settings" }).count()).toBe(0);
      return;
    }
    await page.getByRole("heading", { name: "Workspace settings" }).waitFor();
    await poll(() => page.getByRole("link", { name: "Manage variables" }).count()).toBe(
      username === "olu" ? 0 : 1,
    );
  });
  it("are reached from the top bar of a chat and from the menu of the workspace, tab by tab with the keyboard", async () => {
    await page.goto(web.thread());
    await page.getByRole("link", { name: "Workspace settings" }).click();
    await page.waitForURL(at("general-appearance"));
    await page.getByRole("button", { name: "Menu of Tenant handbook" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Workspace settings" }).click();
    await page.waitForURL(`${gateway.url}/workspace/tenant-handbook/settings/general-appearance`);
    for (const [name, tab] of [
      ["Chat settings", "chat-settings"],
      ["Vector database", "vector-database"],
      ["Members", "members"],
      ["Agents", "agent-config"],
    ]) {
      const link = page
        .getByRole("navigation", { name: "Workspace settings" })
        .getByRole("link", { name: name! });
      await link.focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/settings/${tab}`);
      await poll(() => link.getAttribute("aria-current")).toBe("page");
    }
    await page.getByText("Agents are not part of Carrel yet").waitFor();
    await poll(() =>
      page
        .locator("#main")
        .getByRole("button")
        .filter({ hasNot: page.locator("svg") })
        .count(),
    ).toBe(0);
  });
  it("an unknown tab opens the first, an unknown workspace is not there", async () => {
    await page.goto(at("nonsense"));
    await page.waitForURL(at("general-appearance"));
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/settings`);
    await page.waitForURL(at("general-appearance"));
    await page.goto(`${gateway.url}/workspace/nothing/settings/members`);
    await page.getByText("There is nothing at this address.").waitFor();
  });
});

describe("general", () => {
  it("renames, and keeps what the server refuses", async () => {
    await go("general-appearance");
    await page.getByText("18,420").waitFor();
    await page.getByLabel("Workspace name").fill("  ");
    await page.getByText("Enter a name.").waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    expect(instance.sent).toEqual([]);
    await page.getByLabel("Workspace name").fill("Heat pumps ");
    instance.refuse = { status: 400, message: "The instance is being moved." };
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("The instance is being moved.").waitFor();
    await poll(() => page.getByLabel("Workspace name").inputValue()).toBe("Heat pumps ");
    await save();
    await poll(() => bodies().at(-1)).toEqual({ name: "Heat pumps" });
    await page.locator(".side").getByText("Heat pumps").waitFor();
    await poll(() => page.getByRole("button", { name: "Save changes" }).isDisabled()).toBe(true);
  });
  it("edits the suggested messages: four at most, in their order", async () => {
    gateway.chat.suggestions = [
      { heading: "One", message: "first" },
      { heading: "Two", message: "second" },
    ];
    await go("general-appearance");
    await page.getByRole("button", { name: "Add message" }).click();
    await page.getByText("Write a heading or a message").waitFor();
    await focused(page.getByLabel("Heading of message 3"));
    await page.keyboard.type("Three");
    await page.getByLabel("Text of message 3").fill("third");
    await page.getByRole("button", { name: "Move message 3 up" }).click();
    await focused(page.getByRole("button", { name: "Move message 2 up" })); // it went along
    await page.keyboard.press("Enter");
    await poll(() => page.getByLabel("Heading of message 1").inputValue()).toBe("Three");
    await page.getByRole("button", { name: "Remove message 2" }).click();
    await page.getByLabel("Text of message 2").fill(" last ");
    for (let more = 0; more < 2; more += 1) {
      await page.getByRole("button", { name: "Add message" }).click();
      await focused(page.getByLabel(`Heading of message ${3 + more}`));
      await page.keyboard.type(`More ${more}`);
    }
    await poll(() => page.getByRole("button", { name: "Add message" }).isDisabled()).toBe(true);
    await save();
    await poll(() => gateway.chat.suggestions).toEqual([
      { heading: "Three", message: "third" },
      { heading: "Two", message: "last" },
      { heading: "More 0", message: "" },
      { heading: "More 1", message: "" },
    ]);
    expect(instance.sent.map(({ path }) => path)).toEqual([
      "/workspace/heat-pump-retrofit/suggested-messages",
    ]);
  });
  it("takes a picture, refuses what is none, and removes it", async () => {
    await go("general-appearance");
    const picker = page.getByLabel("Workspace picture", { exact: true }).and(page.locator("input"));
    await picker.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
    await page.getByText("Failed to upload picture: Choose an image file.").waitFor();
    instance.refuse = { status: 413, message: "Pictures may have 5 MB at most." };
    await picker.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("x") });
    await page.getByText("Failed to upload picture: Pictures may have 5 MB at most.").waitFor();
    await picker.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("x") });
    await page.getByText("Picture uploaded.").waitFor();
    await page.locator(".wss-picture img").waitFor();
    await page.getByRole("button", { name: "Remove picture" }).click();
    await page.getByText("Picture removed.").waitFor();
    await poll(() => gateway.workspaces[0]?.pfpFilename).toBeNull();
    await page.locator(".wss-picture img").waitFor({ state: "detached" });
  });
  it("deletes only after the name was typed, and goes home", async () => {
    await go("general-appearance");
    await page.getByLabel("Workspace name").fill("Not saved");
    await page.getByRole("button", { name: "Delete workspace…" }).click();
    await dialog().getByText("removed for all users").waitFor();
    const act = dialog().getByRole("button", { name: "Delete workspace" });
    await dialog().getByLabel("Type “Heat-pump retrofit” to confirm").fill("heat-pump");
    await poll(() => act.isDisabled()).toBe(true);
    await page.keyboard.press("Enter");
    expect(instance.sent).toEqual([]);
    await dialog().getByLabel(/^Type/).fill("Heat-pump retrofit");
    instance.refuse = {
      status: 403,
      message: "Workspace deletion is blocked by the system administrator.",
    };
    await page.keyboard.press("Enter");
    await dialog()
      .getByText(
        "The workspace could not be deleted: Workspace deletion is blocked by the system administrator.",
      )
      .waitFor();
    const answer = hold();
    await act.click();
    await dialog().getByRole("button", { name: "Deleting workspace" }).waitFor();
    answer();
    await page.getByText("Heat-pump retrofit was deleted.").waitFor();
    await page.waitForURL(`${gateway.url}/workspace/tenant-handbook`);
    expect(
      instance.sent.every(
        ({ method, path }) => method === "DELETE" && path === "/workspace/heat-pump-retrofit",
      ),
    ).toBe(true);
  });
});

describe("chat settings", () => {
  it("sends what changed and nothing else", async () => {
    await go("chat-settings");
    await page.getByText("Follows the instance: Ollama, llama3.2.").waitFor();
    await poll(
      async () => (await page.getByLabel("Provider").locator("option").allTextContents())[0],
    ).toBe("System default");
    await page.getByLabel("Provider").selectOption("ollama");
    await page.getByLabel("Model", { exact: true }).selectOption("qwen3:8b");
    await page.getByLabel("Temperature", { exact: true }).fill("0,4");
    await save();
    await poll(bodies).toEqual([
      { chatProvider: "ollama", chatModel: "qwen3:8b", openAiTemp: 0.4 },
    ]);
    await page.getByLabel("Provider").selectOption("");
    await save();
    await poll(() => bodies().at(-1)).toEqual({ chatProvider: null, chatModel: null });
    await page.getByLabel("Provider").selectOption("openai");
    await page.getByText("The provider lists no models now.").waitFor();
    await page.getByLabel("Model", { exact: true }).fill("gpt-4.1");
    await page.getByRole("button", { name: "Discard" }).click();
    await poll(() => page.getByLabel("Provider").inputValue()).toBe("");
  });
  it("keeps a provider in sight that is not set up any more", async () => {
    Object.assign(gateway.workspaces[0]!, { chatProvider: "mistral", chatModel: "small" });
    await go("chat-settings");
    await page.getByText("This provider is not set up on the instance.").waitFor();
    await poll(() => page.getByLabel("Provider").locator("option:checked").textContent()).toBe(
      "mistral (not set up)",
    );
  });
  it("warns above 45, and says what is wrong at the field", async () => {
    await go("chat-settings");
    const history = page.getByLabel("Chat history");
    await history.fill("45");
    await poll(() => page.getByText("More than 45").count()).toBe(0);
    await history.fill("46");
    await page.getByText("More than 45 are likely to make chats fail").waitFor();
    await history.fill("");
    await page.getByText("Enter a whole number of 0 or more.").waitFor();
    await page.getByLabel("Temperature", { exact: true }).fill("-1");
    await page.getByText("2 changes · 2 fields to correct").waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    expect(instance.sent).toEqual([]);
    await poll(() => history.evaluate((element) => element === document.activeElement)).toBe(true);
    await history.fill("46");
    await page.getByLabel("Temperature", { exact: true }).fill("");
    await save();
    await poll(bodies).toEqual([{ openAiHistory: 46 }]);
  });
  it("shows the refusal with the mode that uses it", async () => {
    await go("chat-settings");
    await page.getByText("Used only in query mode").waitFor();
    await page.getByRole("radio", { name: /^Chat/ }).focus();
    await page.keyboard.press("ArrowDown");
    await poll(() => page.getByRole("radio", { name: /^Query/ }).isChecked()).toBe(true);
    await poll(() => page.getByText("Used only in query mode").count()).toBe(0);
    await page.getByLabel("Query refusal response").fill("Nothing on that here.");
    await save();
    await poll(bodies).toEqual([
      { chatMode: "query", queryRefusalResponse: "Nothing on that here." },
    ]);
  });
  it("puts variables where the caret is, and brings earlier prompts back", async () => {
    await go("chat-settings");
    const prompt = page.getByLabel("Prompt", { exact: true });
    await page.getByPlaceholder("Given the following conversation").waitFor();
    await prompt.fill("It is now.");
    await prompt.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(6, 6));
    await page.getByRole("button", { name: "Insert time", exact: true }).click();
    await focused(prompt);
    await poll(() =>
      prompt.evaluate((element: HTMLTextAreaElement) => [element.value, element.selectionStart]),
    ).toEqual(["It is {time}now.", 12]);
    await page.keyboard.type(" ");
    await poll(() => prompt.inputValue()).toBe("It is {time} now.");
    await page.getByRole("button", { name: "Earlier prompts" }).click();
    await dialog().getByText("Answer in two sentences.").waitFor();
    await dialog()
      .getByRole("button", { name: /^Delete the prompt of/ })
      .nth(1)
      .click();
    await dialog().getByText("Answer in two sentences.").waitFor({ state: "detached" });
    expect(instance.sent.at(-1)?.path).toBe("/workspace/prompt-history/2");
    await dialog()
      .getByRole("button", { name: /^Restore/ })
      .nth(1)
      .click();
    await poll(() => prompt.inputValue()).toBe(
      "Answer briefly.\n\nWhere figures are asked for, give a table.",
    );
    await save();
    await poll(() => bodies().at(-1)).toEqual({
      openAiPrompt: "Answer briefly.\n\nWhere figures are asked for, give a table.",
    });
    await page.getByRole("button", { name: "Earlier prompts" }).click();
    await dialog().getByRole("button", { name: "Delete all" }).click();
    await page
      .getByRole("dialog", { name: "Delete all earlier prompts?" })
      .getByRole("button", { name: "Delete all" })
      .click();
    await dialog().getByText("There are none yet.").waitFor();
    expect(instance.history).toEqual([]);
  });
  it("is not left with something unsaved unless one says so", async () => {
    await go("chat-settings");
    await page.getByLabel("Chat history").fill("30");
    await page.getByRole("link", { name: "Members" }).click();
    await dialog().getByText("Leave without saving?").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await poll(() => page.getByLabel("Chat history").inputValue()).toBe("30");
    await page.getByRole("link", { name: "Members" }).click();
    await dialog().getByRole("button", { name: "Discard changes" }).click();
    await page.waitForURL(at("members"));
    expect(instance.sent).toEqual([]);
  });
});

describe("vector database", () => {
  it("keeps a value of another program as custom, and sends what was chosen", async () => {
    gateway.workspaces[0]!.similarityThreshold = 0.4;
    await go("vector-database");
    await page.locator(".facts").getByText("heat-pump-retrofit").waitFor();
    await poll(() => page.getByRole("radio", { name: /^Custom.*0\.4/ }).isChecked()).toBe(true);
    await page.getByLabel("Max context snippets").fill("0");
    await page.getByText("Enter a whole number from 1 to 100.").waitFor();
    await page.getByLabel("Max context snippets").fill("8");
    await page.getByRole("radio", { name: /^No restriction/ }).check();
    await save();
    await poll(bodies).toEqual([{ topN: 8, similarityThreshold: 0 }]);
    await poll(() => page.getByRole("radio").count()).toBe(4);
    await poll(() => page.getByText("earch mode").count()).toBe(0); // nothing re-ranks yet
  });
  it("is reset after a question, with its states and words", async () => {
    await go("vector-database");
    await page.getByText("18,420").waitFor();
    instance.refuse = { status: 400, message: "Bad Request" };
    const reset = async (): Promise<void> => {
      await page.getByRole("button", { name: "Reset vector database" }).click();
      await dialog().getByText("This cannot be undone.").waitFor();
      await dialog().getByRole("button", { name: "Reset vector database" }).click();
    };
    const answer = hold();
    await reset();
    await page.getByRole("button", { name: "Resetting vector database" }).waitFor();
    answer();
    await page.getByText("Workspace vector database could not be reset!").waitFor();
    await page.getByText("18,420").waitFor();
    await reset();
    await page.getByText("Workspace vector database was reset!").waitFor();
    await page.locator(".facts dd").getByText("0", { exact: true }).waitFor();
    expect(instance.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill("DELETE /workspace/heat-pump-retrofit/reset-vector-db"),
    );
  });
});

describe("members", () => {
  it("are listed with their roles, added and removed; managers and admins see all anyway", async () => {
    await as("olu");
    await go("members");
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("jo-brandt").getByText("Member", { exact: true }).waitFor();
    await row("olu").getByText("Sees all workspaces anyway").waitFor();
    await row("mira_kowalska").getByText("Admin").waitFor();
    await row("sam").getByText("Suspended").waitFor();
    await poll(() => page.getByRole("button", { name: "Menu of olu", exact: true }).count()).toBe(
      0,
    );
    await page.getByRole("button", { name: "Menu of jo-brandt" }).click();
    await page.getByRole("menuitem", { name: "Remove from the workspace" }).click();
    await dialog().getByRole("button", { name: "Remove from the workspace" }).click();
    await page.getByText("jo-brandt is no longer a member.").waitFor();
    await row("jo-brandt").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add or remove members" }).click();
    await dialog()
      .getByRole("checkbox", { name: /jo-brandt/ })
      .check();
    await dialog().getByRole("button", { name: "Save members" }).click();
    await row("jo-brandt").waitFor();
    await poll(() => gateway.admin.sent.map(({ path, body }) => [path, body])).toEqual([
      ["/admin/workspaces/1/update-users", { userIds: [4] }],
      ["/admin/workspaces/1/update-users", { userIds: [4, 3] }],
    ]);
  });
  it("are nobody where there are no accounts", async () => {
    await go("members");
    await page.getByText("This instance has no user accounts").waitFor();
    await page.getByRole("link", { name: "Set up user accounts" }).waitFor();
  });
});

describe("prompt variables", () => {
  it("are listed with the built-in ones, added, changed and deleted by admins", async () => {
    await as("mira_kowalska");
    await page.goto(`${gateway.url}/settings/system-prompt-variables`);
    await page.getByText("Harbour Housing").waitFor();
    await page.getByText("{workspace.name}").waitFor();
    await poll(() => page.getByRole("button", { name: "Menu of time", exact: true }).count()).toBe(
      0,
    );
    await page.getByRole("button", { name: "Add variable" }).click();
    await dialog().getByLabel("Name").fill("time");
    await dialog().getByRole("button", { name: "Add variable" }).click();
    await dialog().getByText("There is a variable with this name already.").waitFor();
    await dialog().getByText("Enter a value.").waitFor();
    expect(instance.sent).toEqual([]);
    await dialog().getByLabel("Name").fill("brand");
    await dialog().getByLabel("Value").fill("Harbour");
    await dialog().getByRole("button", { name: "Add variable" }).click();
    await page.getByText("brand was saved.").waitFor();
    await page.getByRole("button", { name: "Menu of company" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog().getByLabel("Value").fill("Harbour Housing Ltd");
    await dialog().getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Harbour Housing Ltd").waitFor();
    await page.getByRole("button", { name: "Menu of brand" }).click();
    await page.getByRole("menuitem", { name: "Delete variable" }).click();
    await dialog().getByRole("button", { name: "Delete variable" }).click();
    await page.getByText("brand was deleted.").waitFor();
    expect(instance.sent).toEqual([
      {
        method: "POST",
        path: "/system/prompt-variables",
        body: { key: "brand", value: "Harbour", description: "" },
      },
      {
        method: "PUT",
        path: "/system/prompt-variables/7",
        body: { key: "company", value: "Harbour Housing Ltd", description: "Who we are" },
      },
      { method: "DELETE", path: "/system/prompt-variables/21", body: {} },
    ]);
  });
  it("are not for managers", async () => {
    await as("olu");
    await page.goto(`${gateway.url}/settings/system-prompt-variables`);
    await page.waitForURL(`${gateway.url}/workspace/heat-pump-retrofit`);
  });
});

// Colours do not depend on the width: every picture once in each theme, once in each width.
describe.each([
  ["dark", "wide"],
  ["light", "phone"],
] as const)("no serious fault that axe finds (%s, %s)", (colorScheme, size) => {
  it.each(Object.keys(workspaceScreens))("%s", async (name) => {
    await web.open({
      colorScheme,
      ...(size === "phone" ? { viewport: { width: 390, height: 844 }, hasTouch: true } : {}),
    });
    take();
    await workspaceScreens[name]!(page, gateway, size === "phone");
    await settled(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations
        .filter((each) => each.impact === "serious" || each.impact === "critical")
        .map(
          (each) =>
            `${each.id}: ${each.nodes
              .map((node) => node.html.slice(0, 160))
              .slice(0, 3)
              .join(" | ")}`,
        ),
    ).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  });
});
