import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { AgentClient, callAgent, streamedText } from "../agent-client.ts";
import type { Api } from "../api.ts";
import { password, type Access } from "./access.ts";

export function testAgentCookie(access: Access): void {
  describe("whose browser opens an agent's session", () => {
    let llm: FakeLlm;
    let slug: string;
    let ownerId: number;
    beforeAll(async () => {
      llm = await startFakeLlm();
      await access.admin.json("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiModelPref: "fake-model",
        GenericOpenAiTokenLimit: "8192",
      });
      ({ slug } = await access.admin.makeWorkspace("Agents"));
      ownerId = await access.makeUser("agent-owner", { role: "manager" });
      await access.makeUser("agent-other", { role: "manager" });
    });
    afterAll(() => llm?.stop());

    /** A browser after its sign-in: its token, and its cookie for the socket. */
    const signIn = async (username: string): Promise<{ api: Api; cookie: string }> => {
      const reply = await access.api().call("POST", "/request-token", { username, password });
      const cookie = reply.headers
        .getSetCookie()
        .find((each) => each.includes("Path=/api/agent-invocation;"));
      expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
      return {
        api: access.api(reply.json<{ token: string }>().token),
        cookie: cookie!.split(";")[0]!,
      };
    };
    const open = (uuid: string, headers: Record<string, string>) =>
      new AgentClient(access.url, uuid, headers);

    it("must be its owner's where it says so, and need not say", async () => {
      const owner = await signIn("agent-owner");
      const other = await signIn("agent-other");
      const { uuid } = await callAgent(owner.api, slug, "@agent Say hello.");
      for (const cookie of [other.cookie, `${owner.cookie}x`]) {
        const refused = open(uuid!, { cookie });
        expect(await refused.until("wssFailure")).toHaveLength(1);
        await refused.ended();
      }
      llm.next({ reply: "Hello." });
      const own = open(uuid!, { cookie: owner.cookie });
      expect(streamedText(await own.until("WAITING_ON_INPUT"))).toBe("Hello.");
      // Only admins switch tools.
      own.send({ type: "agentToolToggle", skill: "create-chart", enabled: true, serverName: null });
      llm.next({ reply: "Hello again." });
      own.say("And now?");
      await own.until("WAITING_ON_INPUT");
      expect(JSON.stringify(llm.requests.at(-1)!.body)).not.toContain("create-chart");
      own.say("exit");
      await own.ended();

      const { uuid: second } = await callAgent(owner.api, slug, "@agent Say hello.");
      llm.next({ reply: "Hello." });
      const bare = open(second!, {});
      await bare.until("WAITING_ON_INPUT");
      // Suspended people lose their sessions.
      await access.admin.json("POST", `/admin/user/${ownerId}`, { suspended: 1 });
      expect(await bare.until("wssFailure")).toHaveLength(1);
      await bare.ended();
    });
  });
}
