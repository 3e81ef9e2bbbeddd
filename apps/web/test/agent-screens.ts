import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { openAccount, signedIn } from "./account-screens.ts";
import { dialog, menu, row } from "./admin-page.ts";
import {
  approvalStep,
  chartStep,
  fileStep,
  formStep,
  manySteps,
  mixedRun,
  scheduleApproval,
  tableStep,
} from "./agent-scripts.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { fakeStep, type ScriptPart } from "./fake-steps.ts";
import { expect } from "./fixtures.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;
const slug = "heat-pump-retrofit";
const thread = `/workspace/${slug}/t/flow`;

const running =
  (script: () => ScriptPart[], wait: string | RegExp): Draw =>
  async (page, gateway) => {
    const parts = script();
    // The last step keeps its state: the answer goes no further.
    Object.assign(gateway, { script: parts, pace: 1, heldAfter: parts.length + 4 });
    await page.goto(`${gateway.url}${thread}`);
    await page.getByText("What would you like to know?").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Write the report and send it");
    await page.keyboard.press("Enter");
    await page.getByText(wait).first().waitFor();
    await settled(page);
  };

const finished =
  (then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    const steps = [
      fakeStep(1),
      fakeStep(2, { state: "failed", fault: { code: "access.forbidden" } }),
      tableStep(3),
      chartStep(4),
      fileStep(5),
      fakeStep(6, { state: "unknown" }),
      approvalStep(7, {
        state: "denied",
        approval: { ...approvalStep(7).approval!, decision: "denied" },
      }),
    ];
    gateway.addTurn(slug, "flow", {
      question: "Which blocks need the most heat?",
      answer: "I'll look at the survey.\n\nIt is **block C**, with 530 MWh a year.",
      steps: steps.map((step, index) => ({ ...step, at: index < 3 ? 25 : 64 })),
      generationId: "00000000-0000-4000-9000-000000000001",
    });
    await page.goto(`${gateway.url}${thread}`);
    await page.getByText("530 MWh").waitFor();
    await then?.(page);
    await settled(page);
  };

const forty =
  (then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    gateway.addTurn(slug, "flow", {
      question: "All of it?",
      answer: "It is 48 °C.",
      steps: manySteps(40),
      generationId: "00000000-0000-4000-9000-000000000001",
    });
    await page.goto(`${gateway.url}${thread}`);
    await page.getByText("40 steps").waitFor();
    await then?.(page);
    await settled(page);
  };

const settings =
  (rest: string, then?: (page: Page, gateway: FakeGateway) => Promise<void>): Draw =>
  async (page, gateway) => {
    gateway.agents.preferences = {
      default_agent_skills: ["web-browsing", "create-chart"],
      agent_skill_rules: { "gmail-agent": "ask", "filesystem-agent": "forbid" },
    };
    await page.goto(`${gateway.url}/settings/agents${rest}`);
    await page.getByRole("switch").first().waitFor();
    await then?.(page, gateway);
    await settled(page);
  };

const end = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("main *")) each.scrollTo(0, each.scrollHeight);
  });
};

const servers =
  (then?: (page: Page, gateway: FakeGateway) => Promise<void>): Draw =>
  async (page, gateway) => {
    gateway.mcp.fill();
    await page.goto(`${gateway.url}/settings/mcp-servers`);
    await row(page, "tickets").waitFor();
    await then?.(page, gateway);
    await settled(page);
  };
const addServer = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Add server" }).click();
  await dialog(page).getByLabel("Name").waitFor();
};

const bell =
  (fill: (gateway: FakeGateway) => void, isOpen: boolean): Draw =>
  async (page, gateway, phone) => {
    fill(gateway);
    await page.goto(`${gateway.url}${thread}`);
    await page.getByText("What would you like to know?").waitFor();
    // The bell appears with the first use of the page.
    await page.mouse.move(5, 5);
    await page.mouse.move(9, 9);
    if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
    if (isOpen) {
      await page.getByRole("button", { name: /[Nn]otice/ }).click();
      await dialog(page).last().waitFor();
    }
    await settled(page);
  };
const notices = (gateway: FakeGateway): void => {
  const source = "0b7d2c7e-3c52-4b6a-9a53-000000000099";
  const readAt = new Date().toISOString();
  gateway.notices.add({ title: "Minutes of the board.docx", readAt });
  gateway.notices.add({ title: null, kind: "sync.removed" });
  gateway.notices.add({
    title: "A long name of a document that somebody has never shortened, of November 2024.pdf",
  });
  gateway.notices.add({ title: "Wiki", documentId: null, connectionId: source });
};

/** Agents: steps of their runs, skills, MCP servers, notices and what was allowed. */
export const agentScreens: Record<string, Draw> = {
  "notices-bell": bell(notices, false),
  notices: bell(notices, true),
  "run-form": running(() => [...mixedRun().slice(0, 4)], "Which blocks should"),
  "run-approval": running(
    () => [fakeStep(1), "The survey has the figures.\n\n", chartStep(4), approvalStep(6)],
    "Allow once",
  ),
  "run-approval-first": running(() => [fakeStep(1), approvalStep(6)], "Allow once"),
  "run-form-alone": running(() => [formStep(1)], "Which blocks should"),
  "run-working": running(
    () => [
      fakeStep(1),
      fakeStep(2, {
        state: "running",
        skill: "document-summarizer",
        tool: "summarize-document",
        progress: { done: 3, total: 8 },
        milliseconds: null,
        result: null,
      }),
    ],
    "Summarizing document",
  ),
  run: finished(),
  "run-top": finished(async (page) => {
    await page.getByText("Which blocks need the most heat?").scrollIntoViewIfNeeded();
  }),
  "run-details": finished(async (page) => {
    await page.getByRole("button", { name: /^Queried database/ }).click();
    await page.getByRole("button", { name: /^Search documents.*Failed/ }).click();
    await page.getByText("Which blocks need the most heat?").scrollIntoViewIfNeeded();
  }),
  "run-end": finished(async (page) => {
    await page.getByRole("button", { name: /^Send email.*Not allowed/ }).click();
    await page.getByRole("button", { name: /Outcome unknown/ }).click();
    await page.getByRole("button", { name: /Outcome unknown/ }).scrollIntoViewIfNeeded();
  }),
  "run-forty": forty(),
  "run-forty-open": forty(async (page) => {
    await page.getByRole("button", { name: /^40 steps/ }).click();
    await page.getByRole("button", { name: /question 1\b/ }).click();
  }),
  "composer-modes": async (page, gateway, phone) => {
    await page.goto(`${gateway.url}${thread}`);
    await page.getByText("What would you like to know?").waitFor();
    if (phone) await page.getByLabel("Mode", { exact: true }).selectOption("automatic");
    else await page.getByRole("radio", { name: "Automatic" }).click();
    await settled(page);
  },
  "agent-schedule": running(() => [scheduleApproval(1)], "Every Monday"),
  "agents-general": settings("", async (page, gateway) => {
    gateway.agents.callsTools = false;
    await page.reload();
    await page.getByText("can't call tools").waitFor();
    await page.getByLabel("Tool calls per answer").fill("0");
  }),
  "agents-plain": settings("", async (page, gateway) => {
    gateway.agents.preferences.default_agent_skills = ["sql-agent", "create-files-agent"];
    gateway.agents.allowed = ["outlook-agent", "mcp:tickets"];
    await page.reload();
    await page.getByText("Allowed without asking").scrollIntoViewIfNeeded();
  }),
  "agents-web": settings("?skill=web-browsing", async (page) => {
    await page.getByLabel("Provider", { exact: true }).selectOption("tavily-search");
  }),
  "agents-web-end": settings("?skill=web-browsing", end),
  "agents-sql": settings("?skill=sql-agent", async (page, gateway) => {
    gateway.agents.preferences.agent_sql_connections = [
      {
        engine: "postgresql",
        database_id: "sales",
        schema: "public",
        username: "reader",
        password: "********",
        host: "a-rather-long-host-name.databases.example.internal",
        port: "5432",
        database: "shop",
      },
      {
        engine: "mysql",
        database_id: "crm",
        schema: null,
        username: "reader",
        password: "********",
        host: "db.example",
        port: "3306",
        database: "crm",
      },
    ];
    await page.reload();
    await page.getByText("db.example:3306").waitFor();
  }),
  "agents-sql-empty": settings("?skill=sql-agent"),
  "agents-sql-add": settings("?skill=sql-agent", async (page) => {
    await page.getByRole("button", { name: "Add database" }).click();
  }),
  "agents-files": settings("?skill=filesystem-agent"),
  "agents-files-end": settings("?skill=filesystem-agent", end),
  "agents-gmail": settings("?skill=gmail-agent"),
  "agents-gmail-end": settings("?skill=gmail-agent", end),
  "agents-outlook": settings("?skill=outlook-agent"),
  "agents-questions": settings("?skill=request-user-input"),
  "mcp-empty": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/mcp-servers`);
    await page.getByText("No MCP servers yet").waitFor();
    await settled(page);
  },
  mcp: servers(),
  "mcp-menu": servers(async (page) => {
    await page.getByRole("button", { name: "Menu for tickets" }).click();
    await page.getByRole("menu").waitFor();
  }),
  "mcp-add": servers(async (page) => {
    await addServer(page);
    await dialog(page).getByRole("button", { name: "Add server" }).click();
  }),
  "mcp-add-command": servers(async (page) => {
    await addServer(page);
    await dialog(page).getByRole("radio", { name: "Command" }).click();
  }),
  "mcp-edit": servers((page) => menu(page, "tickets", "Edit")),
  "mcp-import": servers(async (page) => {
    await page.getByRole("button", { name: "Import" }).click();
  }),
  "mcp-log": servers(async (page) => {
    await menu(page, "files", "Log");
    await dialog(page).getByText("cannot find the database").waitFor();
  }),
  "mcp-tools": servers(async (page) => {
    await row(page, "tickets").getByRole("button", { name: "1 of 4" }).click();
    await dialog(page)
      .getByRole("button", { name: /^close/ })
      .click();
  }),
  "mcp-call": servers(async (page) => {
    await row(page, "tickets").getByRole("button", { name: "1 of 4" }).click();
    await dialog(page)
      .getByRole("button", { name: /^search/ })
      .click();
    await dialog(page).getByRole("button", { name: "Test" }).click();
    await dialog(page).getByText("Ticket 17").waitFor();
  }),
  "mcp-delete": servers((page) => menu(page, "tickets", "Delete server")),
  "side-waiting": async (page, gateway, phone) => {
    await page.goto(`${gateway.url}${thread}`);
    await page.getByText("What would you like to know?").waitFor();
    if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
    const [, waiting, running] = gateway.threads[slug]!;
    const announce = (id: number, state: string): void =>
      gateway.change({
        type: "generation.changed",
        workspaceId: 1,
        threadId: id,
        generationId: "11111111-1111-4111-8111-111111111111",
        state,
      });
    // Sent again until the change stream is connected.
    await expect
      .poll(() => {
        announce(waiting!.id, "waiting");
        announce(running!.id, "running");
        return page.getByRole("img", { name: "Waiting for you" }).count();
      })
      .toBe(1);
    await settled(page);
  },
  "ws-agents": async (page, gateway) => {
    await page.goto(`${gateway.url}/workspace/${slug}/settings/agent-config`);
    await page.getByRole("switch", { name: "Automatic mode" }).waitFor();
    await page.getByLabel("Provider").selectOption("ollama");
    await settled(page);
  },
  "ws-agents-end": async (page, gateway) => {
    await page.goto(`${gateway.url}/workspace/${slug}/settings/agent-config`);
    await page.getByRole("switch", { name: "Automatic mode" }).click();
    await end(page);
    await settled(page);
  },
  "account-allowed": async (page, gateway, phone) => {
    gateway.agents.allowed = ["outlook-agent", "sql-agent", "mcp:tickets"];
    gateway.accounts.add("mira_kowalska", "admin");
    await signedIn(page, gateway, "mira_kowalska");
    await openAccount(page, gateway, phone);
    await page.getByRole("tab", { name: "Security" }).click();
    await page.getByText("Allowed without asking").scrollIntoViewIfNeeded();
    await settled(page);
  },
};
