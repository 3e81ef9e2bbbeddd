import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  confirmPlugin,
  deletePlugin,
  getPlugin,
  instancePrincipal,
  listPlugins,
  togglePlugin,
} from "@carrel/contracts";
import type { RunningService } from "@carrel/runtime";
import { poll } from "@carrel/testing";
import { stepsOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { pluginFiles } from "../../test/plugin-files.ts";

const scope = { principal: instancePrincipal, workspace: null } as never;
const hubId = "lookup";

let chat: ChatInstance;
/** Disks of two replicas, as on Kubernetes. */
let disks: [string, string];
beforeAll(async () => {
  chat = await ChatInstance.start();
  chat.fixture.agents = { ...chat.fixture.agents, skills: [], rules: {} };
  const disk = () => mkdtemp(path.join(tmpdir(), "carrel-replica-"));
  disks = [await disk(), await disk()];
});
afterAll(async () => {
  await chat?.stop();
  await Promise.all(disks.map((disk) => rm(disk, { recursive: true, force: true })));
});

/** Requests go to whichever replica runs, so one runs at a time. */
const start = (disk: string): Promise<RunningService> => chat.startReplica({ CARREL_HOME: disk });
const stop = async (): Promise<void> => {
  for (const replica of chat.replicas.splice(0)) await replica.stop();
};
const folders = (disk: string): string => path.join(disk, "plugins", "agent-skills");
async function write(disk: string, code: string): Promise<void> {
  await mkdir(path.join(folders(disk), hubId), { recursive: true });
  for (const [name, text] of Object.entries(pluginFiles({ hubId, code })))
    await writeFile(path.join(folders(disk), hubId, name), text);
}
const listAll = () => chat.request(listPlugins, {}, scope);
const list = async () => (await listAll()).plugins;

describe("a plugin in a folder that only one replica has", () => {
  it("is used and removed by the other, and doesn't come back with the first", async () => {
    const [one, two] = disks;
    await write(one, 'return "The code is 17."');
    await start(one);
    await poll(list).toMatchObject([{ hubId, review: "new" }]);
    await stop();

    await start(two);
    await chat.tellAgentSettings();
    const { hash } = await chat.request(getPlugin, { hubId }, scope);
    const permissions = { hosts: [], storage: false, secrets: [] };
    await chat.request(confirmPlugin, { hubId, hash, permissions }, scope);
    await chat.request(togglePlugin, { hubId, active: true }, scope);
    chat.llm.next({ toolCalls: [{ name: hubId, input: { city: "Rome" } }] });
    chat.llm.next({ reply: "It is 17." });
    const asker = chat.addWorkspace({ chatMode: "automatic" });
    const { frames } = await chat.ask(asker, "What is the code?");
    expect(stepsOf(frames)).toMatchObject([{ state: "done", result: "The code is 17." }]);
    expect(await chat.request(deletePlugin, { hubId }, scope)).toBe(true);
    expect(await list()).toEqual([]);
    await stop();

    await start(one);
    expect(await readdir(folders(one))).toEqual([hubId]);
    const ignored = { plugins: [], problems: [{ fault: { code: "plugin.folder-known" } }] };
    expect(await listAll()).toMatchObject(ignored);
    await stop();

    // Its disk is created again, from an image or an archive.
    await rm(folders(one), { recursive: true });
    await write(one, 'return "The code is 17."');
    await start(one);
    expect(await listAll()).toMatchObject(ignored);
    await write(one, 'return "The code is 18."');
    expect(await list()).toMatchObject([{ hubId, active: false, review: "new" }]);
    await stop();
  });

  it("isn't replaced by an older version that another replica still has", async () => {
    const [one, two] = disks;
    await write(two, 'return "The code is 19."');
    await start(two);
    const [newer] = await list();
    expect(newer).toMatchObject({ review: "new" });
    await stop();
    await rm(folders(one), { recursive: true });
    await write(one, 'return "The code is 18."');
    await start(one);
    expect(await list()).toMatchObject([{ hash: newer!.hash }]);
  });
});
