import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { Locator, Page } from "playwright-core";
import { threadWire } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { focused, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const slug = "heat-pump-retrofit";
let gateway: FakeGateway;
let page: Page;
const take = (): void => {
  ({ gateway, page } = web);
};
beforeEach(take);

const named = (name: string): Locator => page.locator(".threads").getByRole("link", { name });
const open = async (address = web.thread()): Promise<void> => {
  await page.goto(address);
  await page.getByLabel("Message", { exact: true }).waitFor();
  await named("Night tariff").waitFor({ state: "attached" });
};
/**
 * Opens, and waits until the page is told of changes and has read the list anew for what it missed
 * before: nothing but a change will change it then.
 */
const openTold = async (): Promise<void> => {
  let connect = (): void => undefined;
  gateway.changesHeld = new Promise((resolve) => {
    connect = resolve;
  });
  await open();
  gateway.threads[slug]!.push(threadWire(99, "Made meanwhile", "meanwhile"));
  connect();
  await named("Made meanwhile").waitFor();
};
/** Outside of any field, where Ctrl counts at once. */
const hold = async (key = "Control"): Promise<void> => {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.down(key);
  await page.getByRole("checkbox", { name: /^Mark/ }).first().waitFor();
};
const menu = async (of: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: `Menu of ${of}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
const left = (): string[] => gateway.threads[slug]!.map((thread) => thread.slug);
const sent = (method: string): string[] =>
  gateway.requests.filter((each) => each.method === method).map((each) => each.path);
const serious = async (): Promise<string[]> => {
  await settled(page); // what appears is not to be measured half there
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations
    .filter((each) => each.impact === "serious" || each.impact === "critical")
    .map(
      (each) =>
        `${each.id}: ${each.nodes
          .map((node) => node.html.slice(0, 160))
          .slice(0, 3)
          .join(" | ")}`,
    );
};
const deletion =
  "Are you sure you want to delete this thread? All of its chats will be deleted. You cannot undo this.";

describe("threads of another device", () => {
  const tell = (change: "created" | "deleted" | "restored", slugs: string[]): void =>
    gateway.change({ type: "threads.changed", workspaceId: 1, change, slugs });
  it("come, go and come back, and an open one that was deleted gives way to the chat of its workspace", async () => {
    await openTold();
    const shownThread = gateway.threads[slug]!.find((thread) => thread.slug === "flow")!;
    gateway.threads[slug]!.push(threadWire(91, "Made elsewhere", "elsewhere"));
    tell("created", ["elsewhere"]);
    await named("Made elsewhere").waitFor();
    gateway.threads[slug] = gateway.threads[slug]!.filter((thread) => thread !== shownThread);
    tell("deleted", ["flow"]);
    await page.waitForURL(`**/workspace/${slug}`);
    await named(shownThread.name).waitFor({ state: "detached" });
    gateway.threads[slug].push(shownThread);
    tell("restored", ["flow"]);
    await named(shownThread.name).waitFor();
  });
});

describe("threads in the sidebar", () => {
  it("are the default thread, the named ones shortened to 25 characters with the full name as title, and New Thread", async () => {
    gateway.threads[slug]!.push(threadWire(14, "Balancing the risers of block seven", "long"));
    await open();
    await poll(() => page.locator(".threads").locator("a, button.nav").allInnerTexts()).toEqual([
      "Default thread",
      "Flow temperature, blocks",
      "Night tariff operation",
      "Noise in the courtyards",
      "Balancing the risers of b…",
      "New Thread",
    ]);
    await poll(() =>
      page.getByTitle("Balancing the risers of block seven", { exact: true }).count(),
    ).toBe(1);
    await page.locator(".threads").getByRole("button", { name: "New Thread", exact: true }).click();
    await page.waitForURL("**/t/thread-4");
    gateway.shell.refuse = { kind: "new", words: "too many" };
    await page.locator(".threads").getByRole("button", { name: "New Thread", exact: true }).click();
    await page.getByText("Could not create thread - too many").waitFor();
  });
  it("can be marked while Ctrl or Meta is held; letting go clears all marks", async () => {
    await open();
    for (const key of ["Control", "Meta"]) {
      await poll(() => page.getByRole("checkbox", { name: /^Mark/ }).count()).toBe(0);
      await hold(key);
      await named("Night tariff").click();
      await page.getByRole("checkbox", { name: "Mark Noise in the courtyards" }).click();
      await page.getByRole("button", { name: "Delete Selected" }).waitFor();
      await poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(2);
      await named("Night tariff").click();
      await poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(1);
      await page.keyboard.up(key);
      await page.getByRole("button", { name: "Delete Selected" }).waitFor({ state: "detached" });
      await page.keyboard.down(key);
      await page.getByRole("checkbox").first().waitFor();
      await poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(0);
      await page.keyboard.up(key);
    }
    expect([page.url().endsWith("/t/flow"), sent("DELETE")]).toEqual([true, []]);
  });
  it("are not marked by a shortcut while one writes, but by holding the key there too", async () => {
    await page.clock.install(); // nothing but this test decides how long a key is held
    await open();
    await page.getByLabel("Message", { exact: true }).fill("Some words");
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.clock.runFor(1_000);
    await page.clock.resume();
    await settled(page);
    await poll(() => page.getByRole("checkbox", { name: /^Mark/ }).count()).toBe(0);
    await page.keyboard.up("Control");
    await page.keyboard.down("Control");
    await page.getByRole("checkbox", { name: "Mark Night tariff operation" }).waitFor();
    await page.keyboard.up("Control");
    await page
      .getByRole("checkbox", { name: "Mark Night tariff operation" })
      .waitFor({ state: "detached" });
    await poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("Some words");
  });
  it("go together, and the chat of the workspace opens where the open one was among them", async () => {
    await open();
    await hold();
    await named("Noise").click();
    await named("Flow temperature").click();
    await page.getByRole("button", { name: "Delete Selected" }).click();
    await page.keyboard.up("Control");
    await page.waitForURL(`**/workspace/${slug}`);
    await named("Noise").waitFor({ state: "detached" });
    await poll(() => [left(), sent("DELETE")]).toEqual([
      ["night"],
      [`/workspace/${slug}/thread-bulk-delete`],
    ]);
    await page.getByText("Thread deleted successfully!").waitFor();
  });
  it("stay where the open one is not among them", async () => {
    await open();
    await hold();
    await named("Noise").click();
    await page.getByRole("button", { name: "Delete Selected" }).click();
    await page.keyboard.up("Control");
    await page.getByText("Thread deleted successfully!").waitFor();
    await named("Noise").waitFor({ state: "detached" });
    await poll(() => [left(), page.url().endsWith("/t/flow")]).toEqual([["flow", "night"], true]);
  });
  it("are asked for before one goes, with the exact words; it stays marked as deleted for half a second", async () => {
    await web.open({ reducedMotion: "reduce" });
    take();
    await open();
    await menu("Noise", "Delete Thread");
    await page.getByText(deletion, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await menu("Noise", "Delete Thread");
    const gone = page.evaluate(
      () =>
        new Promise<{ animation: string; milliseconds: number }>((resolve) => {
          let animation: string | null = null;
          let from = 0;
          new MutationObserver(() => {
            const row = document.querySelector(".threads .is-gone");
            if (row) {
              animation ??= getComputedStyle(row).animationName;
              from ||= performance.now();
            } else if (animation !== null)
              resolve({ animation, milliseconds: performance.now() - from });
          }).observe(document.body, { subtree: true, childList: true, attributes: true });
        }),
    );
    await page.getByRole("button", { name: "Delete Thread" }).click();
    const { animation, milliseconds } = await gone;
    expect(animation).toBe("none");
    expect(milliseconds).toBeGreaterThan(250);
    await page.getByText("Thread deleted successfully!").waitFor();
    await poll(() => [left(), sent("DELETE"), page.url().endsWith("/t/flow")]).toEqual([
      ["flow", "night"],
      [`/workspace/${slug}/thread/noise`],
      true,
    ]);
    gateway.shell.refuse = { kind: "delete", words: "no" };
    await menu("Night", "Delete Thread");
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await page.getByText("Thread could not be deleted!").waitFor();
    await poll(() => named("Night tariff").count()).toBe(1);
  });
  it("are renamed; blank or cancelled does nothing, and a failure says why and keeps what was typed", async () => {
    await open();
    await menu("Night", "Rename");
    const field = page.getByRole("textbox", { name: "Name" });
    await field.fill("   ");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await menu("Night", "Rename");
    await focused(field);
    await page.keyboard.press("Enter");
    await field.waitFor({ state: "detached" });
    expect(sent("POST").filter((path) => path.endsWith("/update"))).toEqual([]);
    gateway.shell.refuse = { kind: "rename", words: "the name is taken" };
    await menu("Night", "Rename");
    await field.fill("Cheap hours");
    await page.keyboard.press("Enter");
    await page.getByText("Thread could not be updated! the name is taken").waitFor();
    await poll(() => field.inputValue()).toBe("Cheap hours");
    await page.keyboard.press("Enter");
    await named("Cheap hours").waitFor();
    await poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Menu of Cheap hours",
    );
  });
  it("take the name that another tab or device gave them", async () => {
    await openTold();
    gateway.change({
      type: "thread.renamed",
      workspaceId: 1,
      threadId: 12,
      slug: "night",
      name: "Renamed elsewhere",
    });
    await named("Renamed elsewhere").waitFor();
    gateway.threads[slug]!.unshift(threadWire(40, "Made elsewhere", "made"));
    gateway.change({
      type: "thread.renamed",
      workspaceId: 1,
      threadId: 40,
      slug: "made",
      name: "Made elsewhere",
    });
    await named("Made elsewhere").waitFor();
  });
  it("are chosen and deleted with fingers", async () => {
    await web.open(phone);
    take();
    await page.goto(web.thread());
    await page.getByRole("button", { name: "Open sidebar" }).tap();
    await page.getByRole("button", { name: "Menu of Noise" }).tap();
    await page.getByRole("menuitem", { name: "Select threads" }).tap();
    await page.getByRole("checkbox", { name: "Mark Night tariff operation" }).tap();
    await page.getByRole("button", { name: "Delete Selected" }).tap();
    await page
      .getByText(
        "Are you sure you want to delete these threads? All of their chats will be deleted. You cannot undo this.",
      )
      .waitFor();
    await page.getByRole("button", { name: "Delete 2 threads" }).tap();
    await page.getByText("Thread deleted successfully!").waitFor();
    await poll(left).toEqual(["flow"]);
    await poll(() => page.getByRole("checkbox", { name: /^Mark/ }).count()).toBe(0);
    await poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

describe("deleted threads", () => {
  it("can be brought back for as long as the instance keeps them, and go for good", async () => {
    gateway.shell.trashDays = 14;
    await open();
    await menu("Noise", "Delete Thread");
    await page
      .getByText(
        "Are you sure you want to delete this thread? All of its chats will be deleted. You can bring it back for 14 days.",
        { exact: true },
      )
      .waitFor();
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await menu("Night", "Delete Thread");
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await page.getByRole("button", { name: "Deleted threads" }).click();
    const dialog = page.getByRole("dialog", { name: "Deleted threads" });
    await dialog.getByText("Each can be brought back for 14 days.").waitFor();
    await dialog.getByText("gone for good in 14 days").first().waitFor();
    expect(await serious()).toEqual([]);
    await dialog.getByRole("button", { name: "Restore Noise in the courtyards" }).click();
    await page.locator('.threads a[href$="/t/noise"]').waitFor();
    await dialog.getByRole("button", { name: "Delete Night tariff operation for good" }).click();
    await page.getByText(deletion, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await dialog.getByText("Nothing is here.").waitFor();
    await poll(() => [left(), gateway.shell.trash[slug]]).toEqual([["noise", "flow"], []]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await menu("Heat-pump", "Deleted threads");
    await dialog.waitFor();
  });
  it("are not spoken of where none are kept", async () => {
    await open();
    await page.getByRole("button", { name: "Menu of Heat-pump" }).click();
    await page.getByRole("menuitem", { name: "Documents" }).waitFor();
    await poll(() => page.getByText("Deleted threads").count()).toBe(0);
  });
});

describe("workspaces", () => {
  const listed = (): Promise<string[]> => page.locator(".ws > .wsrow .cut").allInnerTexts();
  const stored = (): Promise<string | null> =>
    page.evaluate(() => localStorage.getItem("anythingllm-workspace-order"));
  it("stand in the order that this browser keeps, as existing clients keep it; new ones first", async () => {
    await page.addInitScript(() => {
      if (!localStorage.getItem("anythingllm-workspace-order"))
        localStorage.setItem("anythingllm-workspace-order", "[3,1]");
    });
    await open();
    await poll(listed).toEqual(["Tenant handbook", "Supplier contracts", "Heat-pump retrofit"]);
  });
  it("are moved by the menu and by keys, and it is announced", async () => {
    await open();
    await menu("Heat-pump", "Move down");
    await poll(async () => [await listed(), await stored()]).toEqual([
      ["Tenant handbook", "Heat-pump retrofit", "Supplier contracts"],
      "[2,1,3]",
    ]);
    await page
      .getByRole("status")
      .filter({ hasText: "Heat-pump retrofit is now 2 of 3." })
      .waitFor({ state: "attached" });
    await page.locator(".ws > .wsrow").getByRole("link", { name: "Supplier contracts" }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await poll(async () => [await listed(), await stored()]).toEqual([
      ["Supplier contracts", "Tenant handbook", "Heat-pump retrofit"],
      "[3,2,1]",
    ]);
    await page
      .getByRole("status")
      .filter({ hasText: "Supplier contracts is now 1 of 3." })
      .waitFor({ state: "attached" });
    await page.reload();
    await named("Night").waitFor();
    await poll(listed).toEqual(["Supplier contracts", "Tenant handbook", "Heat-pump retrofit"]);
  });
  it("are dragged; Esc gives up, and dropping does not open what was dragged", async () => {
    await open();
    const row = (name: string): Locator => page.locator(".ws > .wsrow").getByRole("link", { name });
    const drag = async (name: string, to: string): Promise<void> => {
      const from = (await row(name).boundingBox())!;
      const goal = (await row(to).boundingBox())!;
      await page.mouse.move(from.x + 40, from.y + 12);
      await page.mouse.down();
      let moves = 0;
      await poll(async () => {
        moves += 1;
        await page.mouse.move(from.x + 40, from.y - 4 - (moves % 2));
        return page.locator(".ws[data-dragged]").count();
      }).toBe(1); // what drags is fetched with the pointer
      await page.mouse.move(goal.x + 40, goal.y + 2, { steps: 4 });
    };
    await drag("Supplier contracts", "Heat-pump retrofit");
    await page.locator('.ws[data-drop="before"]').waitFor();
    await page.mouse.up();
    await poll(async () => [await listed(), await stored()]).toEqual([
      ["Supplier contracts", "Heat-pump retrofit", "Tenant handbook"],
      "[3,1,2]",
    ]);
    await drag("Tenant handbook", "Supplier contracts");
    await page.locator(".ws[data-drop]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".ws[data-drop]").waitFor({ state: "detached" });
    await page.mouse.up();
    await settled(page);
    await poll(async () => [
      await stored(),
      page.url().endsWith("/t/flow") || page.url().endsWith("/tenant-handbook"),
    ]).toEqual(["[3,1,2]", true]);
    await row("Tenant handbook").click();
    await page.waitForURL("**/workspace/tenant-handbook");
  });
  it("show their picture, and their menu leads to what one may do", async () => {
    gateway.workspaces[1]!.pfpFilename = "picture.webp";
    await open();
    await page.locator(".ws img.ws-picture").waitFor();
    await poll(() => page.locator(".ws img.ws-picture").count()).toBe(1);
    await page.getByRole("button", { name: "Menu of Heat-pump" }).click();
    await page.getByRole("menuitem", { name: "Documents" }).waitFor();
    await poll(() => page.getByRole("menuitem").allInnerTexts()).toEqual(
      [
        "Workspace settings",
        "Documents",
        "New thread",
        "Move up",
        "Move down",
        "Rename",
        "Delete workspace",
      ].map((text) => expect.stringContaining(text)),
    );
    await page.getByRole("menuitem", { name: "Workspace settings" }).click();
    await page.waitForURL(`**/workspace/${slug}/settings/general-appearance`);
  });
});

describe("the palette", () => {
  const field = (): Locator => page.getByPlaceholder("Go to a workspace");
  const show = async (): Promise<void> => {
    await page.keyboard.press("Control+k");
    await field().waitFor();
  };
  const place = { slug, name: "Heat-pump retrofit" };
  it("lists recent places first, not the one that is open", async () => {
    await open();
    await named("Night").click();
    await page.waitForURL("**/t/night");
    await page.locator(".ws").getByRole("link", { name: "Tenant handbook" }).click();
    await page.waitForURL("**/tenant-handbook");
    await page.getByLabel("Message", { exact: true }).waitFor();
    await poll(
      async () =>
        JSON.parse(await page.evaluate(() => localStorage.getItem("carrel_recent_places") ?? "{}"))
          .places?.length,
    ).toBe(3);
    await show();
    const first = page.locator(".palette [cmdk-group]").first();
    await poll(() => first.locator("[cmdk-group-heading]").innerText()).toBe("Recent");
    await poll(() => first.locator("[cmdk-item]").allInnerTexts()).toEqual([
      expect.stringContaining("Night tariff operation"),
      expect.stringContaining("Flow temperature, blocks"),
    ]);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/t/night");
  });
  it("finds workspaces, threads and messages from three characters on, once one pauses, and marks the words", async () => {
    gateway.shell.found = {
      workspaces: [{ slug: "supplier-contracts", name: "Supplier contracts" }],
      threads: [{ slug: "flow", name: "Flow temperature, blocks", workspace: place }],
      messages: [
        {
          chatId: 101,
          threadSlug: "night",
          threadName: "Night tariff operation",
          workspace: place,
          excerpt: "the radiators cover their room at 48 °C <b>and</b> no more",
          sentAt: Date.now() - 7_200_000,
        },
      ],
    };
    await page.clock.install();
    await open();
    await show();
    await field().pressSequentially("ra");
    await page.clock.fastForward(1_000);
    await settled(page);
    expect(gateway.shell.terms).toEqual([]);
    // Letter by letter without a pause, which another program's input alone can promise.
    await field().evaluate((input: HTMLInputElement) => {
      const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
      for (const text of ["rad", "radi", "radia", "radiat"]) {
        write.call(input, text);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    const message = page.getByRole("option", { name: /radiators cover their room/ });
    await message.waitFor();
    await poll(() => gateway.shell.terms).toEqual(["radiat"]);
    await poll(() => message.locator("mark").allInnerTexts()).toEqual(["radiat"]);
    await poll(() => message.innerText()).toContain("<b>and</b>");
    await poll(() => page.locator(".palette [cmdk-group-heading]").allInnerTexts()).toEqual([
      "Workspaces",
      "Threads",
      "Messages",
    ]);
    expect(await serious()).toEqual([]);
  });
  it("leaves a search that is typed on, and says that it searches or that nothing was found", async () => {
    let answer = (): void => undefined;
    gateway.shell.searchHeld = new Promise((resolve) => {
      answer = resolve;
    });
    await open();
    await show();
    await field().fill("abcd");
    await page.getByText("Searching").waitFor();
    await poll(() => gateway.shell.terms).toContain("abcd");
    await field().fill("abcdef");
    await poll(() => gateway.shell.terms).toContain("abcdef");
    await poll(() => gateway.shell.abandoned).toContain("abcd");
    answer();
    await page.getByText("Nothing was found.").waitFor();
  });
  it("opens the thread at the message, with the earlier pages that it takes", async () => {
    for (let n = 1; n <= 120; n += 1)
      gateway.addTurn(slug, "night", {
        question: `Question ${n}.`,
        answer: `Answer ${n}.\n\n${"It goes on. ".repeat((n * 7) % 60)}`,
      });
    const wanted = gateway.turns[`${slug}/night`]![14]!;
    gateway.shell.found = {
      workspaces: [],
      threads: [],
      messages: [
        {
          chatId: wanted.id,
          threadSlug: "night",
          threadName: "Night tariff operation",
          workspace: place,
          excerpt: "Question 15.",
          sentAt: Date.now(),
        },
      ],
    };
    await open();
    await show();
    await field().fill("question");
    await page.getByRole("option", { name: /Question 15\./ }).click();
    await page.waitForURL(`**/t/night#chat-${wanted.id}`);
    const log = page.getByRole("log");
    await log.getByText("Question 15.", { exact: true }).waitFor();
    const below = async (): Promise<number> =>
      (await log.getByText("Question 15.", { exact: true }).boundingBox())!.y -
      (await log.boundingBox())!.y;
    await poll(async () => {
      const y = await below();
      return y > -5 && y < 200 ? "at the top" : y;
    }).toBe("at the top");
  });
});

describe("a thousand threads", () => {
  beforeEach(() => {
    gateway.threads[slug] = [
      ...gateway.threads[slug]!,
      ...Array.from({ length: 997 }, (_, n) =>
        threadWire(1000 + n, `Conversation ${n + 1}`, `c${n + 1}`),
      ),
    ];
  });
  const rows = (): Promise<number> => page.locator(".threads .wsrow").count();
  it("draw those in view only, with the open one in view", async () => {
    await open();
    await poll(rows).toBe(12);
    await page.getByRole("button", { name: "Show 988 more" }).click();
    await page.locator(".thread-rows").waitFor();
    await named("Conversation 20").waitFor();
    await poll(rows).toBeLessThan(70);
    // the open one was in view
    await poll(() => page.locator(".side-scroll").evaluate((box) => box.scrollTop)).toBe(0);
    await menu("Night", "Rename");
    await page.getByRole("textbox", { name: "Name" }).fill("Cheap hours");
    await page.keyboard.press("Enter");
    await named("Cheap hours").waitFor();
    await page.locator(".side-scroll").evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await page.getByRole("button", { name: "New Thread", exact: true }).waitFor();
    await named("Conversation 997").click();
    await page.waitForURL("**/t/c997");
    await page.goto(`${gateway.url}/workspace/${slug}/t/c500`);
    const current = page.locator('.threads [aria-current="page"]');
    await poll(() => current.innerText()).toBe("Conversation 500");
    await poll(async () => {
      const [side, row] = [
        (await page.locator(".side-scroll").boundingBox())!,
        (await current.boundingBox())!,
      ];
      return row.y >= side.y && row.y + row.height <= side.y + side.height
        ? "in view"
        : [side, row];
    }).toBe("in view");
    await poll(rows).toBeLessThan(70);
    await poll(() => page.locator(".side *").count()).toBeLessThan(1500);
  });
  it("can all be marked and deleted at once", async () => {
    await open();
    await menu("Night", "Select threads");
    await page.getByRole("button", { name: "All", exact: true }).click();
    const from = Date.now();
    await page.getByRole("button", { name: "Delete Selected 1000" }).waitFor();
    expect(Date.now() - from).toBeLessThan(20_000);
    await page.getByRole("button", { name: "Delete Selected 1000" }).click();
    await page.getByRole("button", { name: "Delete 1000 threads" }).click();
    await page.waitForURL(`**/workspace/${slug}`);
    await poll(left).toEqual([]);
  });
});

describe("for everyone", () => {
  for (const colorScheme of ["dark", "light"] as const) {
    it(`has no serious fault of accessibility: marks, menu, palette, ${colorScheme}`, async () => {
      await web.open({ colorScheme });
      take();
      gateway.shell.trashDays = 7;
      await open();
      await hold();
      await named("Noise").click();
      await page.getByRole("button", { name: "Delete Selected" }).waitFor();
      expect(await serious()).toEqual([]);
      await page.keyboard.up("Control");
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Go to a workspace").waitFor();
      expect(await serious()).toEqual([]);
    });
  }
});
