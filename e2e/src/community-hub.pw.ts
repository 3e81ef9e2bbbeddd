import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FakeHub } from "@carrel/testing";
import type { Page } from "@playwright/test";
import JSZip from "jszip";
import { expect, loopback, slug, test } from "./product.ts";

// One hub, from its address to a plugin that an agent uses: each test continues where the one before
// ended.
test.use({ environment: loopback });
test.describe.configure({ mode: "serial" });

let hub: FakeHub;
/** What the plugin calls. */
let office: Server;
const asked: { url: string; key: unknown }[] = [];
test.beforeAll(async ({ product }) => {
  await product.useVendor();
  await product.api.makeWorkspace("Harbour House");
  office = createServer(({ url, headers }, response) => {
    asked.push({ url: url!, key: headers["x-api-key"] });
    response.end(JSON.stringify({ height: 2.4 }));
  });
  await new Promise<void>((done) => office.listen(0, "127.0.0.1", done));
  hub = await new FakeHub().start();
  hub.items.push(...items);
  hub.bundles.set("tide-table", await zipPlugin((office.address() as AddressInfo).port));
});
test.afterAll(async () => {
  office?.close();
  await hub?.stop();
});

const common = { description: "Of the harbour office", tags: [], verified: true };
const items = [
  { ...common, id: "rhymes", itemType: "system-prompt", name: "Rhymes", prompt: "Only rhymes." },
  {
    ...common,
    id: "sum-up",
    itemType: "slash-command",
    name: "Sum up",
    command: "/sum-up",
    prompt: "Sum it up.",
    visibility: "private",
  },
  {
    ...common,
    id: "report",
    itemType: "agent-flow",
    name: "Harbour news",
    flow: JSON.stringify({
      steps: [
        { type: "start", config: { variables: [{ name: "city", value: "" }] } },
        {
          type: "llmInstruction",
          config: { instruction: "News of ${city}", resultVariable: "news" },
        },
      ],
    }),
  },
  { ...common, id: "tide-table", itemType: "agent-skill", name: "Tide table" },
];

function zipPlugin(port: number): Promise<Buffer> {
  const manifest = {
    name: "Tide table",
    schema: "skill-1.0.0",
    version: "1.0.0",
    description: "Tells the height of the tide in a harbour.",
    setup_args: { API_KEY: { type: "string", required: true, input: { type: "password" } } },
    entrypoint: {
      file: "handler.js",
      params: { harbour: { description: "The harbour", type: "string" } },
    },
  };
  const handler = `const { unit } = require("./lib/unit.json");
module.exports.runtime = {
  handler: async function ({ harbour }) {
    this.introspect(\`Looking up \${harbour}\`);
    const url = "http://127.0.0.1:${port}/tides?harbour=" + encodeURIComponent(harbour);
    const reply = await fetch(url, { headers: { "x-api-key": this.runtimeArgs["API_KEY"] } });
    return \`\${harbour}: \${(await reply.json()).height} \${unit}\`;
  },
};`;
  const zip = new JSZip();
  zip.file("tide-table/plugin.json", JSON.stringify(manifest));
  zip.file("tide-table/handler.js", handler);
  zip.file("tide-table/lib/unit.json", '{"unit":"metres"}');
  return zip.generateAsync({ type: "nodebuffer" });
}

const pages = "/settings/community-hub";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const openItem = (page: Page, id: string) =>
  page.goto(`${pages}/import-item?id=allm-community-id:${id}`);

test("a hub is chosen; saving its masked key again changes nothing", async ({ page, product }) => {
  await page.goto(`${pages}/trending`);
  await page.getByRole("link", { name: "Choose a hub" }).click();
  await page.getByRole("radio", { name: /^Server/ }).check();
  await page.getByLabel("Address").fill(hub.address);
  await page.getByLabel("Connection key").fill(hub.key);
  await page.getByRole("radio", { name: /^Verified only/ }).check();
  await button(page, "Check hub").click();
  await expect(page.getByText("The hub answers. It lists 3 items.")).toBeVisible();
  await button(page, "Save changes").click();
  await expect(page.getByLabel("Connection key")).toHaveValue("********abcd");
  // As existing clients do.
  const { api } = product;
  const { connectionKey } = await api.json<{ connectionKey: string }>(
    "GET",
    "/community-hub/settings",
  );
  await api.json("POST", "/community-hub/settings", { hub_api_key: connectionKey });
  await openItem(page, "slash-command:sum-up");
  await expect(page.getByText("Sum it up.")).toBeVisible();
  expect(hub.requests.at(-1)).toMatchObject({ authorization: `Bearer ${hub.key}` });
});

test("prompts, commands and flows are previewed and imported, and a flow is published", async ({
  page,
  product,
}) => {
  await page.goto(pages);
  await page.getByRole("link", { name: "Rhymes" }).click();
  await expect(page.getByText("Only rhymes.")).toBeVisible();
  await page.getByLabel("Workspace whose system prompt is replaced").selectOption("Harbour House");
  await button(page, "Replace system prompt").click();
  await expect(page.getByText("Imported “Rhymes”")).toBeVisible();
  await openItem(page, "slash-command:sum-up");
  await button(page, "Add command").click();
  await expect(page.getByText("Type /sum-up in a message to use it.")).toBeVisible();
  const { api } = product;
  expect(JSON.stringify(await api.json("GET", `/workspace/${slug}`))).toContain("Only rhymes.");
  expect(JSON.stringify(await api.json("GET", "/system/slash-command-presets"))).toContain(
    '"/sum-up"',
  );

  await openItem(page, "agent-flow:report");
  await button(page, "Import flow").click();
  await page.getByRole("link", { name: "Open flow" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Harbour news");
  await expect(page.getByText("News of ${city}")).toBeVisible();
  await button(page, "More for this flow").click();
  await page.getByRole("menuitem", { name: "Publish to hub" }).click();
  await button(page, "Review before publishing").click();
  await button(page, "Publish").click();
  await expect(page.getByText("allm-community-id:agent-flow:published1")).toBeVisible();
  expect(hub.published).toMatchObject([
    { itemType: "agent-flow", name: "Harbour news", visibility: "private" },
  ]);
});

test("a plugin is imported, confirmed and set up, and an agent calls a server with it", async ({
  page,
  chat,
  product,
}) => {
  await openItem(page, "agent-skill:tide-table");
  await button(page, "Install skill").click();
  await page.getByRole("link", { name: "Open plugin" }).click();
  await expect(page.getByLabel("handler.js")).toContainText("Looking up");
  await button(page, "Review permissions").click();
  const { port } = office.address() as AddressInfo;
  await expect(page.getByLabel("Hosts it can connect to")).toHaveValue(`127.0.0.1:${port}`);
  await button(page, "Confirm permissions").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByLabel("API_KEY").fill("sk-tide");
  await button(page, "Save arguments").click();
  await expect(page.getByLabel("API_KEY")).toHaveValue("********");
  await page.getByRole("switch", { name: "Agents can use Tide table" }).click();
  await expect(page.getByRole("switch")).toBeChecked();
  expect(asked).toEqual([]);

  await chat.openThread(slug);
  product.vendor.next(
    { toolCalls: [{ name: "tide-table", input: { harbour: "Porto" } }] },
    { reply: "It stands at 2.4 m." },
  );
  await chat.ask("@agent How high is the tide in Porto?");
  await expect(page.getByText(`127.0.0.1:${port}`).first()).toBeVisible();
  await button(page, "Allow once").click();
  const answer = await chat.answered();
  await expect(answer.locator(".md").getByText("It stands at 2.4 m.")).toBeVisible();
  expect(asked).toEqual([{ url: "/tides?harbour=Porto", key: "sk-tide" }]);
  expect(JSON.stringify(product.vendor.requests.at(-1)!.body)).toContain("Porto: 2.4 metres");
});

test("an existing client sees it, switches it off and removes it", async ({ page, product }) => {
  const { api } = product;
  const list = async () =>
    (
      await api.json<{ settings: { imported_agent_skills: object[] } }>(
        "GET",
        "/admin/system-preferences-for?labels=imported_agent_skills",
      )
    ).settings.imported_agent_skills;
  const path = "/experimental/agent-plugins/tide-table";
  expect(await list()).toMatchObject([
    { active: true, hubId: "tide-table", setup_args: { API_KEY: { value: "********" } } },
  ]);
  expect(await api.json("POST", `${path}/config`, { updates: { active: false } })).toMatchObject({
    active: false,
  });
  expect(await api.json("DELETE", path)).toBe(true);
  expect(await list()).toEqual([]);
  await page.goto("/settings/agents?view=plugins");
  await expect(page.getByRole("heading", { name: "No plugins yet" })).toBeVisible();
});
