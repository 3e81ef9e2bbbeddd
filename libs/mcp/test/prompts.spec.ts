import path from "node:path";
import { poll } from "@carrel/testing";
import { McpConnection, createTransports, describePrompt } from "../src/index.ts";

const open: McpConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

async function connect(file: string): Promise<McpConnection> {
  const args = [path.join(import.meta.dirname, file)];
  const connection = new McpConnection({
    label: { name: "tickets", origin: null, command: process.execPath },
    client: { name: "Carrel", version: "1" },
    transports: createTransports(
      { kind: "command", command: process.execPath, args, env: {} },
      {
        environment: { PATH: "/usr/bin:/bin", HOME: "/tmp" },
        folder: "/tmp",
        content: null,
        auth: null,
      },
    ),
  });
  open.push(connection);
  await connection.connect();
  return connection;
}
const { signal } = new AbortController();

describe("prompts of a server", () => {
  it("are listed with their arguments, and again once they change", async () => {
    const server = await connect("fixture-stdio.ts");
    const { prompts } = server.extras;
    expect(prompts.find(({ name }) => name === "review")).toEqual({
      name: "review",
      title: "Review a ticket",
      description: "Asks for a review.",
      arguments: [
        { name: "ticket", title: null, description: "Its number", isRequired: true },
        { name: "tone", title: null, description: "", isRequired: false },
      ],
    });
    await server.getPrompt("grow-prompts", {}, signal);
    await poll(() => server.extras.prompts.map(({ name }) => name)).toContain("grown");
    expect(describePrompt(await server.getPrompt("grown", {}, signal)).text).toBe("grown");
  });

  it("that break the protocol don't hide the others", async () => {
    const { extras } = await connect("old-stdio.mjs");
    expect(extras.prompts).toEqual([
      {
        name: "good",
        title: null,
        description: "Works.",
        arguments: [{ name: "a", title: null, description: "", isRequired: false }],
      },
    ]);
  });

  it("become one text that names what it can't contain", async () => {
    const server = await connect("fixture-stdio.ts");
    const get = async (name: string, values: Record<string, string> = {}) =>
      describePrompt(await server.getPrompt(name, values, signal));
    expect(await get("review", { ticket: "17" })).toEqual({
      text: "Review ticket 17 kindly.\n\n[resource: file:///notes.md]\n# Notes",
      leftOut: ["image/png", "file:///plan.bin"],
    });
    expect(await get("dialogue")).toEqual({
      text: "User:\nWhich pump?\n\nAssistant:\nThe loud one.\n\nUser:\nWhy?",
      leftOut: [],
    });
    expect(await get("picture")).toEqual({ text: "", leftOut: ["image/png"] });
  });
});
