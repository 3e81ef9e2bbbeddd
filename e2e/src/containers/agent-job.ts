import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { startFakeLlm } from "@carrel/testing";
import { Api } from "../api.ts";
import { runDocker } from "./docker.ts";

const text = { title: "Pumps", content: "# Pumps\n\nServiced in **March**." };
const calls = [
  { name: "run-code", input: { code: "[19, 23].reduce((a, b) => a + b)" } },
  {
    name: "create-chart",
    input: { type: "bar", title: "Pumps", rows: [{ name: "cellar", litres: 40 }] },
  },
  { name: "create-text-file", input: { name: "pumps.txt", content: text.content } },
  { name: "create-pdf-file", input: { name: "pumps", ...text } },
  { name: "create-docx-file", input: { name: "pumps", ...text } },
  {
    name: "create-excel-file",
    input: {
      name: "pumps",
      sheets: [{ name: "Pumps", columns: ["pump", "litres"], rows: [["cellar", 40]] }],
    },
  },
  {
    name: "create-pptx-presentation",
    input: { name: "pumps", title: "Pumps", slides: [{ title: "Cellar", bullets: ["March"] }] },
  },
  ...["postgres", "mysql"].map((id) => ({
    name: "sql-query",
    input: { database_id: id, sql_query: "DELETE FROM pump" },
  })),
];

/**
 * An agent calls what needs programs, data files and native code of the image: the sandbox, charts,
 * created files and the parsers of SQL. The fake model is on this machine, behind the gateway of one
 * of the container's networks.
 */
export async function runAgent(
  api: Api,
  slug: string,
  container: string,
  network: string,
): Promise<void> {
  const model = await startFakeLlm();
  const address = await gatewayOf(container, network);
  const forward = createServer((socket) => {
    const onward = connect(model.port, "127.0.0.1");
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  }).listen(0, address);
  await once(forward, "listening");
  try {
    const { port } = forward.address() as AddressInfo;
    await api.json("POST", "/system/update-env", {
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `http://${address}:${port}/v1`,
      GenericOpenAiModelPref: "fake-model",
      GenericOpenAiTokenLimit: "32768",
    });
    const database = (engine: string, url: string) => ({
      action: "add",
      engine,
      database_id: engine === "mysql" ? "mysql" : "postgres",
      connectionString: url,
    });
    await api.json("POST", "/admin/system-preferences", {
      default_agent_skills: "create-chart,create-files-agent,code-interpreter,sql-agent",
      agent_sql_connections: JSON.stringify([
        database("postgresql", "postgresql://a:b@127.0.0.1:9/pumps"),
        database("mysql", "mysql://a:b@127.0.0.1:9/pumps"),
      ]),
    });
    const { apiKey } = await api.json<{ apiKey: { secret: string } }>(
      "POST",
      "/system/generate-api-key",
      {},
    );
    const key = Object.assign(new Api(api.url), { token: apiKey.secret });
    model.next({ toolCalls: calls }, { reply: "Done." });
    const reply = await key.json<{ textResponse: string; outputs: { storageFilename?: string }[] }>(
      "POST",
      `/v1/workspace/${slug}/chat`,
      { message: "Make everything.", mode: "agent" },
    );
    const results = JSON.stringify(model.requests.at(-1)?.body);
    const expected = ["42", "pumps.txt", "pumps.pdf", "pumps.docx", "pumps.xlsx", "pumps.pptx"];
    const missing = expected.filter((part) => !results.includes(part));
    const refused = results.split("Only a single statement that reads").length - 1;
    if (reply.textResponse !== "Done." || missing.length > 0 || refused !== 2)
      throw new Error(`agent: ${JSON.stringify(reply)}, without ${missing.join()}: ${results}`);
    for (const { storageFilename } of reply.outputs) {
      if (storageFilename === undefined) continue;
      const file = await key.call("GET", `/v1/document/generated-files/${storageFilename}`);
      if (file.status !== 200) throw new Error(`${storageFilename}: ${file.status}`);
    }
  } finally {
    await api.json("POST", "/system/update-env", { LLMProvider: "extractive" });
    forward.close();
    await model.stop();
  }
}

/** The address of this machine in one of a container's networks. */
async function gatewayOf(container: string, network: string): Promise<string> {
  const format = `{{(index .NetworkSettings.Networks "${network}").Gateway}}`;
  return (await runDocker("inspect", "-f", format, container)).toString().trim();
}
