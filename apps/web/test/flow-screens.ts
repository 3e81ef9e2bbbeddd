import type { FlowStep } from "@carrel/contracts";
import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { clientSteps } from "./fake-flows.ts";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;

const result = { resultVariable: "", directOutput: false };

/** A flow with blocks of all kinds, some of them inside of others. */
const nestedSteps = (): FlowStep[] => {
  const [start, call, instruction] = clientSteps();
  return [
    { ...start!, id: "start" },
    { ...call!, id: "call", title: "Get the forecast" },
    {
      id: "condition",
      type: "carrel-condition",
      config: {
        left: "${weather.temperature}",
        operator: "greater",
        right: "30",
        then: [
          {
            id: "approval",
            type: "carrel-approval",
            config: { question: "Warn all tenants of ${city}?", details: "" },
          },
        ],
        otherwise: [],
      },
    },
    {
      id: "loop",
      type: "carrel-loop",
      config: {
        list: "${weather.days}",
        itemVariable: "day",
        maxItems: 100,
        steps: [
          {
            id: "code",
            type: "carrel-code",
            config: { code: "return variables.day.high - variables.day.low;", ...result },
          },
        ],
        resultVariable: "spans",
      },
    },
    {
      id: "search",
      type: "carrel-search",
      config: { query: "Heating rules for ${town}", limit: 8, ...result, resultVariable: "rules" },
    },
    { ...instruction!, id: "instruction" },
  ];
};

const builder =
  (
    then?: (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>,
    steps = nestedSteps,
  ): Draw =>
  async (page, gateway, phone) => {
    const { id } = gateway.flows.add("Weather report", steps(), {
      description: "Reports the weather in a city in one sentence.",
      sends: true,
    });
    await page.goto(`${gateway.url}/settings/agents/builder/${id}`);
    await page.getByLabel("Name", { exact: true }).waitFor();
    await then?.(page, gateway, phone);
    await settled(page);
  };

/** What the nested flow would send and ask. */
function planRequests(gateway: FakeGateway): void {
  gateway.flowRuns.requests = {
    requests: [
      {
        title: "Get the forecast",
        address: "https://weather.example/v1?city=Rome",
        origin: "https://weather.example",
        text: "GET https://weather.example/v1?city=Rome",
      },
      { title: "Report it", address: "${hook}", origin: null, text: "POST ${hook}" },
    ],
    approvals: [{ id: "approval", title: "Approval", question: "Warn all tenants of ${city}?" }],
  };
}

/** The list of flows and their builder. */
export const flowScreens: Record<string, Draw> = {
  "flows-empty": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/agents?view=flows`);
    await page.getByText("No flows yet").waitFor();
    await settled(page);
  },
  flows: async (page, gateway) => {
    gateway.flows.fill();
    await page.goto(`${gateway.url}/settings/agents?view=flows`);
    await page.getByRole("link", { name: "Weather report" }).waitFor();
    await settled(page);
  },
  credentials: async (page, gateway) => {
    gateway.credentials.fill();
    await page.goto(`${gateway.url}/settings/agents?view=credentials`);
    await page.getByText("CRM_TOKEN").waitFor();
    await settled(page);
  },
  "flow-credential": builder(async (page, gateway) => {
    gateway.credentials.fill();
    await page.reload();
    await page.locator("[data-block=call] [data-block-head]").click();
    await page.getByLabel("Headers, row 1: Name", { exact: true }).fill("X-Api-Key");
    await page.getByLabel("Headers, row 1: Value", { exact: true }).fill("sk-live-0123456789");
    await page.getByRole("button", { name: "Add row" }).first().click();
    await page.getByLabel("Headers, row 2: Value", { exact: true }).pressSequentially("{{");
  }),
  "flow-new": async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/agents/builder`);
    await page.getByLabel("Name", { exact: true }).waitFor();
    await settled(page);
  },
  flow: builder(),
  "flow-open": builder(async (page) => {
    await page.getByRole("button", { name: "Expand all" }).click();
  }),
  "flow-nested": builder(async (page) => {
    await page.locator("[data-block=condition] [data-block-head]").first().click();
    await page.locator("[data-block=loop] [data-block-head]").first().click();
    await page.locator("[data-block=loop] [data-block-head]").first().scrollIntoViewIfNeeded();
    await page.locator("[data-scroller]").evaluate((element) => element.scrollBy(0, 400));
  }),
  "flow-add": builder(async (page) => {
    await page.getByRole("button", { name: "Add a block after Get the forecast" }).click();
    await page.getByRole("menu").waitFor();
  }),
  "flow-menu": builder(async (page) => {
    await page.getByRole("button", { name: "Menu for Loop" }).click();
    await page.getByRole("menu").waitFor();
  }),
  "flow-variables": builder(async (page) => {
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByRole("button", { name: "Run test" }).click();
    await page.getByText("The flow finished.").waitFor();
    await page.getByRole("button", { name: "Close test run" }).click();
    await page.locator("[data-block=instruction] [data-block-head]").click();
    await page.getByLabel("Instruction", { exact: true }).fill("Describe ");
    await page.getByLabel("Instruction", { exact: true }).press("End");
    await page.keyboard.type("${weather");
    await page.getByRole("option").first().waitFor();
  }),
  "flow-run": builder(async (page) => {
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByRole("button", { name: "Run test" }).click();
    await page.getByText("The flow finished.").waitFor();
  }),
  "flow-versions": builder(async (page, gateway) => {
    gateway.flows.change(gateway.flows.flows[0]!.id, { name: "Weather" });
    await page.getByRole("button", { name: "Versions" }).click();
    await page.getByRole("button", { name: "View version 1" }).click();
  }),
  "flow-triggers": builder(async (page, gateway) => {
    planRequests(gateway);
    await page.getByRole("button", { name: "API and webhooks" }).click();
    await page.getByRole("button", { name: "Set up the API" }).click();
    await page.getByRole("checkbox", { name: /^Send requests/ }).check();
  }),
  "flow-triggers-on": builder(async (page, gateway) => {
    planRequests(gateway);
    const { id } = gateway.flows.flows[0]!;
    gateway.flowTriggers.triggers = [];
    gateway.flowTriggers.add(id, "webhook", {
      owner: { id: 7, username: "mira" },
      approvals: [{ tool: `@@flow_${id}`, destination: "https://weather.example" }],
    });
    await page.getByRole("button", { name: "API and webhooks" }).click();
    await page.getByText("Runs have the rights of mira.").scrollIntoViewIfNeeded();
  }),
  "flow-conflict": builder(async (page, gateway) => {
    gateway.flows.change(gateway.flows.flows[0]!.id, { name: "Weather" });
    await page.getByLabel("Description").fill("Says what the weather is like.");
    await page.getByRole("button", { name: "Save flow" }).click();
    await page.getByRole("button", { name: "Save anyway" }).click();
    await page.getByRole("button", { name: "Look at theirs" }).click();
  }),
};
