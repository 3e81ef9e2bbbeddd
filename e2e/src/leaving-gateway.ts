import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { waitFor, type Deployment, type FakeLlm } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { AgentClient, callAgent, streamedText } from "./agent-client.ts";
import { Api } from "./api.ts";

/** A client that opens a session and then neither reads nor confirms anything. */
async function openDeafClient(url: string, uuid: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    [
      `GET /api/agent-invocation/${uuid} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
      "\r\n",
    ].join("\r\n"),
  );
  await once(socket, "data");
  socket.pause();
  return socket;
}

export function testLeavingGateway(deployment: () => Deployment, llm: () => FakeLlm): void {
  describe("a gateway that stops while agents' sockets are open", () => {
    it("ends them at once, and another one takes the sessions up where they were", async () => {
      const staying = deployment().named("gateway")[0]!;
      const leaving = await deployment().deploy("gateway");
      const api = new Api(staying.url);
      const { slug } = await api.makeWorkspace("Leaving");
      const call = async (text: string): Promise<string> =>
        (await callAgent(api, slug, `@agent ${text}`)).uuid!;

      llm().behave({ reply: "Hello." });
      const idle = await call("Say hello.");
      const waiting = new AgentClient(leaving.url, idle);
      await waiting.until("WAITING_ON_INPUT");
      const deaf = await openDeafClient(leaving.url, await call("Say hello, too."));
      llm().behave({ reply: "Hello again, in several words.", delayMs: 1_000 });
      const busy = await call("Say more.");
      const reading = new AgentClient(leaving.url, busy);
      await reading.until("reportStreamEvent");

      const stoppedAt = Date.now();
      const exit = once(leaving.child, "exit");
      leaving.child.kill("SIGTERM");
      // Browsers read the code as a lost connection, after which the session can be taken up.
      expect(await Promise.all([waiting.ended(), reading.ended()])).toEqual([1_001, 1_001]);
      expect((await exit)[0]).toBe(0);
      // Nobody waits for the one that never confirms: without that, 30 seconds.
      expect(Date.now() - stoppedAt).toBeLessThan(20_000);
      await waitFor(() => deaf.destroyed || deaf.resume().readableEnded);
      deaf.destroy();

      const back = new AgentClient(staying.url, busy);
      expect(streamedText(await back.until("WAITING_ON_INPUT"))).toBe(
        "Hello again, in several words.",
      );
      llm().behave({ reply: "Yes." });
      const again = new AgentClient(staying.url, idle);
      await again.until("WAITING_ON_INPUT");
      again.say("Still there?");
      expect(streamedText(await again.until("WAITING_ON_INPUT"))).toBe("Yes.");
      for (const client of [back, again]) client.say("/exit");
      expect(await Promise.all([back.ended(), again.ended()])).toEqual([1_000, 1_000]);
      llm().behave({});
    });
  });
}
